import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Gate } from '../gate.ts';
import type { OutgoingLine } from '../outgoing-line.ts';
import { shownUrl } from '../shown-url.ts';
import { type ReconnectPolicy, reconnectDelayMs } from '../websocket/reconnect-policy.ts';
import { EventPost, POST_ID_HEADER } from './event-post.ts';
import { encodeEvents } from './events-body.ts';
import { HybridPostFailedError, HybridPostRefusedError } from './hybrid-errors.ts';

/** How many bytes may wait to be posted before `send` waits. */
export const POST_HIGH_WATER_BYTES = 1024 * 1024;

/** What one POST carries at most, unless a single line is longer: below what proxies take by default (1 MB). */
export const POST_MAX_BYTES = 512 * 1024;
export const POST_MAX_LINES = 512;

/** How long a POST may hear nothing before it counts as failed. */
export const POST_TIMEOUT_MS = 30_000;

/** How often, and after what pauses, a POST is tried again. */
export const DEFAULT_POST_RETRY: ReconnectPolicy = { attempts: 10, baseDelayMs: 500, maxDelayMs: 8000 };

/** How an {@link EventPoster} posts. */
export interface EventPosterOptions {
  /** Asked before every attempt: a token may have changed. */
  headers: () => OutgoingHttpHeaders;
  retry?: Partial<ReconnectPolicy> | undefined;
  timeoutMs?: number | undefined;
  /** Once: what is left cannot be delivered. */
  onFailed: (error: HybridPostRefusedError | HybridPostFailedError) => void;
}

/** The way out of a hybrid transport: one POST at a time, and what gathers meanwhile goes into the next. */
export class EventPoster {
  readonly #target: string;
  readonly #options: EventPosterOptions;
  readonly #policy: ReconnectPolicy;
  readonly #post: EventPost;
  readonly #gate = new Gate();
  #state: 'held' | 'idle' | 'posting' | 'stopped' = 'held';
  /** Oldest first; a line leaves when the server has it. */
  #lines: Buffer[] = [];
  #bytes = 0;
  #onDrained: () => void = () => {};

  constructor(url: URL, options: EventPosterOptions) {
    this.#target = shownUrl(url);
    this.#options = options;
    this.#policy = { ...DEFAULT_POST_RETRY, ...options.retry };
    this.#post = new EventPost(url, options.timeoutMs ?? POST_TIMEOUT_MS);
  }

  /** Lines that were taken and that the server is not known to have. */
  get undelivered(): number {
    return this.#lines.length;
  }

  /** Take a line that `eventFlawOf` has nothing against. */
  send(line: OutgoingLine): Promise<void> {
    // Copied also when it is bytes: a sender may use its buffer again.
    const bytes = Buffer.from(line);
    this.#lines.push(bytes);
    this.#bytes += bytes.length;
    this.#wake();
    if (this.#bytes > POST_HIGH_WATER_BYTES) this.#gate.shut();
    return this.#gate.passage();
  }

  /** The server is there: begin. */
  start(): void {
    if (this.#state !== 'held') return;
    this.#state = 'idle';
    this.#wake();
  }

  /** Settles when the server has all that was taken, and also when it will not get it any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      if (this.undelivered === 0 || this.#state === 'stopped') resolve();
    });
  }

  /** Those who wait for room are refused with this error. */
  stop(error: unknown): void {
    this.#state = 'stopped';
    this.#post.stop();
    this.#gate.refuse(error);
    this.#onDrained();
  }

  /** Lines sent in one turn of the event loop leave together: requests are what a line costs. */
  #wake(): void {
    if (this.#state !== 'idle' || this.#lines.length === 0) return;
    this.#state = 'posting';
    process.nextTick(() => void this.#postAll());
  }

  async #postAll(): Promise<void> {
    while (this.#state === 'posting') {
      const batch = firstBatch(this.#lines);
      const failure = await this.#deliver(batch);
      if (this.#state !== 'posting') return;
      if (failure) return this.#fail(failure);
      this.#lines.splice(0, batch.length);
      for (const line of batch) this.#bytes -= line.length;
      if (this.#bytes <= POST_HIGH_WATER_BYTES / 2) this.#gate.open();
      if (this.#lines.length === 0) this.#state = 'idle';
    }
    this.#onDrained();
  }

  #fail(error: HybridPostRefusedError | HybridPostFailedError): void {
    this.#state = 'stopped';
    this.#onDrained();
    this.#options.onFailed(error);
  }

  /** Post until the server has the lines; returns why it never will. */
  async #deliver(
    lines: readonly Buffer[],
  ): Promise<HybridPostRefusedError | HybridPostFailedError | undefined> {
    const body = encodeEvents(lines);
    const postId = crypto.randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      const headers = { ...this.#options.headers(), [POST_ID_HEADER]: postId };
      const outcome = await this.#post.attempt(body, headers);
      if (outcome.kind === 'taken' || this.#state === 'stopped') return undefined;
      if (outcome.kind === 'refused')
        return new HybridPostRefusedError(this.#target, outcome.status, outcome.problem);
      if (attempt > this.#policy.attempts)
        return new HybridPostFailedError(this.#target, attempt, outcome.cause);
      await this.#pause(attempt, outcome.retryAfterMs);
    }
  }

  async #pause(attempt: number, retryAfterMs: number | undefined): Promise<void> {
    const asked = retryAfterMs ?? reconnectDelayMs(attempt, this.#policy);
    const ms = Math.min(asked, this.#policy.maxDelayMs);
    // Cut short when posting stops.
    await delay(ms, undefined, { signal: this.#post.signal }).catch(() => {});
  }
}

function firstBatch(lines: readonly Buffer[]): Buffer[] {
  let bytes = 0;
  const end = lines.findIndex((line, index) => {
    bytes += line.length + 1;
    return index === POST_MAX_LINES || (index > 0 && bytes > POST_MAX_BYTES);
  });
  return lines.slice(0, end === -1 ? lines.length : end);
}
