import type { SignalboxError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-fields.ts';
import {
  CLOSED_BEFORE_RESPONSE,
  ControlAbortedError,
  ControlAnswerError,
  ControlClosedError,
  ControlRefusedError,
  ControlTimeoutError,
} from './control-errors.ts';
import type { ControlRequest, ControlRequestBody } from './control-types.ts';

/** Timers take no longer delay: they would fire at once. A request that may wait longer waits for ever. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long and for whom a request waits. */
export interface RequestOptions {
  /** Aborting rejects the request and tells the other side to stop working on it. */
  signal?: AbortSignal;
  /** Overrides the peer's default; `Infinity` waits for ever. */
  timeoutMs?: number;
  /** Checks the answer's shape: returns it or throws. */
  check?: (answer: JsonObject) => JsonObject;
}

interface Pending {
  message: ControlRequest;
  resolve: (answer: JsonObject) => void;
  reject: (error: Error) => void;
}

/** The requests that this side sent and that are not answered yet. */
export class OutboundRequests {
  readonly #send: (line: string) => Promise<void>;
  readonly #defaultTimeoutMs: number;
  readonly #createRequestId: () => string;
  readonly #pending = new Map<string, Pending>();
  #closed: { cause: unknown } | undefined;

  constructor(
    send: (line: string) => Promise<void>,
    options: { defaultTimeoutMs?: number; createRequestId?: () => string },
  ) {
    this.#send = send;
    this.#defaultTimeoutMs = options.defaultTimeoutMs ?? Number.POSITIVE_INFINITY;
    this.#createRequestId = options.createRequestId ?? (() => crypto.randomUUID());
  }

  pending(): ControlRequest[] {
    return Array.from(this.#pending.values(), ({ message }) => message);
  }

  async request(body: ControlRequestBody, options: RequestOptions): Promise<JsonObject> {
    const { signal } = options;
    if (this.#closed) throw new ControlClosedError('Stream closed', this.#closed.cause);
    if (signal?.aborted) throw new ControlAbortedError(body.subtype, signal.reason);
    const request_id = this.#createRequestId();
    const message: ControlRequest = { type: 'control_request', request_id, request: body };
    // First, so that a body that JSON cannot express is not mistaken for a closed channel.
    const line = JSON.stringify(message);
    const timeoutMs = options.timeoutMs ?? this.#defaultTimeoutMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (error: Error): void => {
      const pending = this.#take(request_id);
      if (!pending) return;
      pending.reject(error);
      // The channel may be gone: then nobody is left to be told.
      this.#send(JSON.stringify({ type: 'control_cancel_request', request_id })).catch(() => {});
    };
    const onAbort = (): void => giveUp(new ControlAbortedError(body.subtype, signal?.reason));
    try {
      const answer = await new Promise<JsonObject>((resolve, reject) => {
        this.#pending.set(request_id, { message, resolve, reject });
        signal?.addEventListener('abort', onAbort, { once: true });
        if (timeoutMs <= MAX_TIMER_MS) {
          timer = setTimeout(() => giveUp(new ControlTimeoutError(body.subtype, timeoutMs)), timeoutMs);
        }
        this.#send(line).catch((cause: unknown) => {
          this.#take(request_id)?.reject(new ControlClosedError('Stream closed', cause));
        });
      });
      return options.check ? checked(options.check, body.subtype, answer) : answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** False when no request waits for this answer. */
  settle(response: JsonObject): boolean {
    const pending = this.#take(String(response.request_id));
    if (!pending) return false;
    if (response.subtype === 'error') {
      const text = typeof response.error === 'string' ? response.error : 'Unknown error';
      pending.reject(new ControlRefusedError(text, response));
    } else {
      pending.resolve(isJsonObject(response.response) ? response.response : {});
    }
    return true;
  }

  /** The answer to a request is there and cannot be read. Returns what is wrong when nobody waits for it. */
  fail(requestId: string, error: SignalboxError): string | undefined {
    const pending = this.#take(requestId);
    pending?.reject(error);
    return pending ? undefined : error.message;
  }

  close(cause: unknown): void {
    this.#closed = { cause };
    for (const requestId of this.#pending.keys()) {
      this.#take(requestId)?.reject(new ControlClosedError(CLOSED_BEFORE_RESPONSE, cause));
    }
  }

  #take(requestId: string): Pending | undefined {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    return pending;
  }
}

function checked(check: (answer: JsonObject) => JsonObject, subtype: string, answer: JsonObject): JsonObject {
  try {
    return check(answer);
  } catch (error) {
    throw new ControlAnswerError(subtype, error);
  }
}
