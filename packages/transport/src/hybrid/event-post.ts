import { Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';

/** Says that a POST is the same one again; the draft standard's name for it. */
export const POST_ID_HEADER = 'idempotency-key';

/** What became of one attempt. */
export type PostOutcome =
  | { kind: 'taken' }
  | { kind: 'refused'; status: number; problem: string }
  /** Not taken, or nobody knows: worth another attempt. */
  | { kind: 'missed'; cause: unknown; retryAfterMs?: number | undefined };

/** Statuses below 500 that may change on their own: timeout, too early, too many requests. */
const PASSING_STATUS = new Set([408, 425, 429]);

/** How much of a refusal's text is kept. */
const MAX_PROBLEM_CHARACTERS = 300;

/** Posts to one URL over one connection that is kept. */
export class EventPost {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #agent: Agent;
  readonly #stop = new AbortController();

  constructor(url: URL, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#agent = new (url.protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  }

  /** Aborted by `stop()`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** One attempt. Settles when the whole answer is there: a server whose reader is behind is slow to end it. */
  attempt(body: Buffer, headers: OutgoingHttpHeaders): Promise<PostOutcome> {
    return new Promise<PostOutcome>((resolve) => {
      const send = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = send(this.#url, {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
        // Of silence, not in all: a long body on a slow line is no failure.
        timeout: this.#timeoutMs,
        signal: this.#stop.signal,
      });
      let problem: unknown;
      let answer: IncomingMessage | undefined;
      let text = '';
      request.once('timeout', () => request.destroy(new Error(`no answer for ${this.#timeoutMs} ms`)));
      request.on('error', (error) => {
        problem ??= error;
      });
      request.once('response', (response) => {
        answer = response;
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text = (text + part).slice(0, MAX_PROBLEM_CHARACTERS);
        });
        response.on('error', () => {});
      });
      // Once its head is there an answer is an answer, also when the rest of it is cut off.
      request.once('close', () => {
        resolve(answer ? outcomeOf(answer, text.trim()) : { kind: 'missed', cause: problem });
      });
      request.end(body);
      // A header that cannot be sent is thrown: a token may have a line end, and the next one may not.
    }).catch((cause: unknown) => ({ kind: 'missed', cause }));
  }

  stop(): void {
    this.#stop.abort();
    this.#agent.destroy();
  }
}

function outcomeOf(answer: IncomingMessage, text: string): PostOutcome {
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status < 500 && !PASSING_STATUS.has(status)) return { kind: 'refused', status, problem: text };
  const cause = new Error(`the server answered ${status} ${answer.statusMessage ?? ''}`.trimEnd());
  return { kind: 'missed', cause, retryAfterMs: retryAfterMs(answer.headers['retry-after']) };
}

/** A count of seconds, or a date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
