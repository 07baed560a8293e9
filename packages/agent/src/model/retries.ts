import { setTimeout as sleep } from 'node:timers/promises';
import { ModelError } from './model-error.ts';

/** How often a request is tried again unless `CLAUDE_CODE_MAX_RETRIES` says otherwise, and how long between. */
const DEFAULT_RETRIES = 10;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 32_000;

/** After so many refusals for overload the fallback model is asked, where there is one. */
export const OVERLOADS_BEFORE_FALLBACK = 3;

/** A request that failed and will be tried again. */
export interface Retry {
  attempt: number;
  maxRetries: number;
  delayMs: number;
  error: ModelError;
}

/** Try until it succeeds, fails for good, or the retries are used up. `mayRetry` stops it once something was shown. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: {
    env: NodeJS.ProcessEnv;
    signal: AbortSignal;
    mayRetry: () => boolean;
    onRetry: (retry: Retry) => Promise<void>;
  },
): Promise<T> {
  const maxRetries = maxRetriesOf(options.env);
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof ModelError && error.isPassing;
      if (!isPassing || tries > maxRetries || !options.mayRetry()) throw error;
      const delayMs = delayBefore(tries, error);
      await options.onRetry({ attempt: tries, maxRetries, delayMs, error });
      await sleep(delayMs, undefined, { signal: options.signal });
    }
  }
}

function maxRetriesOf({ CLAUDE_CODE_MAX_RETRIES: text }: NodeJS.ProcessEnv): number {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : DEFAULT_RETRIES;
}

/** What the API asks for, or doubling with up to a quarter less, so that many agents do not come back at once. */
function delayBefore(tries: number, { retryAfterMs }: ModelError): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_DELAY_MS);
  return Math.min(BASE_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS) * (1 - Math.random() / 4);
}
