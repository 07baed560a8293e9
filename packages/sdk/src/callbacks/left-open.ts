/** Waits until nobody waits for an answer any more: somebody else gives it, or the agent takes its question back. */
export function leftOpen(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
