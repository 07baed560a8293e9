import type { Store } from '@signalbox/hub';

/** Settles when `signal` fires; raises what the store was lost by. */
export async function untilOver(store: Store, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const told = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const lost = await Promise.race([told, ...(store.lost ? [store.lost] : [])]);
  if (lost) throw lost;
}
