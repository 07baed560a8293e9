/** How a client comes back after its connection broke. */
export interface ReconnectPolicy {
  /** Failed attempts in a row before it gives up; `Infinity` never does. */
  attempts: number;
  baseDelayMs: number;
  maxDelayMs: number;
}

export const DEFAULT_RECONNECT: ReconnectPolicy = { attempts: 3, baseDelayMs: 1000, maxDelayMs: 30_000 };

/** Closes that say "do not come back": the peer is done, refuses us, or does not speak our protocol. */
const FINAL_CLOSE_CODES = new Set([1000, 1002, 1003, 1007, 1008, 1009, 1010]);

/** Answers to the upgrade that another attempt would get again. A 400 may be due to a request that was cut on its way. */
const FINAL_HTTP_STATUS = new Set([401, 403, 404, 405, 410, 426]);

/** The pause before attempt 1, 2, 3 …: doubling, and up to half shorter so that many clients do not come at once. */
export function reconnectDelayMs(attempt: number, policy: ReconnectPolicy, random = Math.random): number {
  const full = Math.min(policy.baseDelayMs * 2 ** (attempt - 1), policy.maxDelayMs);
  return full * (1 - random() / 2);
}

/** 4000 to 4999 belong to applications, which use them to say what cannot be mended by trying again. */
export function isFinalClose(code: number): boolean {
  return FINAL_CLOSE_CODES.has(code) || (code >= 4000 && code <= 4999);
}

export function isFinalStatus(status: number): boolean {
  return FINAL_HTTP_STATUS.has(status);
}
