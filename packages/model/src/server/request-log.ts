import type { IncomingHttpHeaders } from 'node:http';
import { RequestWaitError } from '../errors.ts';

/** Requests kept in the log; the oldest is dropped first. */
export const REQUEST_LOG_LIMIT = 500;
const WAIT_TIMEOUT_MS = 10_000;
const SECRET_HEADERS = ['authorization', 'x-api-key', 'proxy-authorization', 'cookie'];

/** `open` while it is answered; `answered` in full; `refused` with an error status; `broken` by a fault; `left` by the client. */
export type RequestState = 'open' | 'answered' | 'refused' | 'broken' | 'left';

/** One request, as a test wants to look at it. Secrets in its headers are redacted. */
export interface LoggedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly startedAt: number;
  state: RequestState;
  /** The parsed body, once it has been read. */
  body: unknown;
  status: number | undefined;
  /** The turn (or background rule) that answered. */
  turn: string | undefined;
  background: boolean;
  /** The newest words of the user. */
  lastUserText: string | undefined;
  /** Why it was refused, when the reason is the script's: `SCENARIO_NO_MATCH`. */
  code: string | undefined;
  durationMs: number | undefined;
}

/** The headers of a request, its secrets replaced. */
export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? '[redacted]' : Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

type Waiter = (request: LoggedRequest) => void;

/** The newest requests, oldest first. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];
  readonly #waiters = new Set<Waiter>();

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  open(id: string, method: string, path: string, headers: IncomingHttpHeaders): LoggedRequest {
    const request: LoggedRequest = {
      id,
      method,
      path,
      headers: redactHeaders(headers),
      startedAt: Date.now(),
      state: 'open',
      body: undefined,
      status: undefined,
      turn: undefined,
      background: false,
      lastUserText: undefined,
      code: undefined,
      durationMs: undefined,
    };
    this.#requests.push(request);
    if (this.#requests.length > REQUEST_LOG_LIMIT) this.#requests.shift();
    return request;
  }

  /** Tells those who wait that a request has changed. */
  changed(request: LoggedRequest): void {
    for (const waiter of this.#waiters) waiter(request);
  }

  clear(): void {
    this.#requests.length = 0;
  }

  /** The first logged request that fits, now or later. */
  wait(fits: (request: LoggedRequest) => boolean, timeoutMs = WAIT_TIMEOUT_MS): Promise<LoggedRequest> {
    const found = this.#requests.find(fits);
    if (found) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = (request) => {
        if (!fits(request)) return;
        stop();
        resolve(request);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new RequestWaitError(timeoutMs, this.#requests.length));
      }, timeoutMs);
      const stop = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      this.#waiters.add(waiter);
    });
  }
}
