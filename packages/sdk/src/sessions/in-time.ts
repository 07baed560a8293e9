import { SessionStoreTimeoutError } from './session-errors.ts';

/** What a call of a store gives. Rejects with {@link SessionStoreTimeoutError} when it takes too long. */
export async function inTime<T>(call: Promise<T>, timeoutMs: number, method: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SessionStoreTimeoutError(method, timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
