/** Commands run in process groups of their own: they would outlive an agent that just dies. */
export function stopOnSignal(session: { interrupt(): void; close(): Promise<void> }): void {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      session.interrupt();
      void session.close().finally(() => process.exit(code));
    });
  }
}
