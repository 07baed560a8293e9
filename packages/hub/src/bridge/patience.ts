import { timeLimit } from '@signalbox/protocol';
/** How long a bridge whose agent is gone waits for its hub; what is left then goes with the next start of its id. */
export const LINGER_MS = 24 * 60 * 60 * 1000;

/** The same, once it was told to leave. */
export const LINGER_WHEN_TOLD_MS = 3000;

/** Fires when there is no more waiting for the hub: once told, not at all for one that `isAway` knows not to run. */
export function patience(told: AbortSignal, isAway: () => Promise<boolean>): AbortSignal {
  const controller = new AbortController();
  const endSoon = (): void => {
    setTimeout(() => controller.abort(), LINGER_WHEN_TOLD_MS).unref();
    void isAway().then((away) => away && controller.abort());
  };
  if (told.aborted) endSoon();
  else told.addEventListener('abort', endSoon, { once: true });
  return AbortSignal.any([controller.signal, timeLimit(LINGER_MS)]);
}
