import { messageOf, type SignalboxError } from '../errors.ts';
import type { JsonObject } from '../json-fields.ts';
import { LIMITS } from '../limits.ts';
import { ControlRefusal } from './control-errors.ts';
import {
  type ControlHandler,
  type ControlRequest,
  type ControlRequestBody,
  isControlRequestBody,
} from './control-types.ts';

interface InWork {
  message: ControlRequest;
  handler: ControlHandler;
  controller: AbortController;
}

/** The requests that the other side sent and that our handlers work on. */
export class InboundRequests {
  readonly #send: (line: string) => Promise<void>;
  readonly #handlers = new Map<string, ControlHandler>();
  readonly #inWork = new Map<string, InWork>();
  /** Handlers that run, also for nobody any more, and answers that the channel has not taken yet. */
  #busy = 0;

  /** `send` must not reject: where nobody listens any more, an answer is lost on nobody. */
  constructor(send: (line: string) => Promise<void>) {
    this.#send = send;
  }

  handle(subtype: string, handler: ControlHandler): void {
    this.#handlers.set(subtype, handler);
  }

  pending(): ControlRequest[] {
    return Array.from(this.#inWork.values(), ({ message }) => message);
  }

  /** Start the handler. Returns what is wrong with a message that cannot even be answered, or what to wait for. */
  accept({ request_id, request }: JsonObject): string | undefined | Promise<void> {
    if (typeof request_id !== 'string') return 'a request without request_id';
    // Sent again after a reconnect: the answer to the first one serves both.
    if (this.#inWork.has(request_id)) return undefined;
    // Whoever asks too much without reading the answers is read no further until the refusal is out.
    if (this.#busy >= LIMITS.requestsInWork.most) return this.#send(refusal(request_id, tooManyRequests()));
    if (!isControlRequestBody(request)) return this.#send(refusal(request_id, noSubtype()));
    const handler = this.#handlers.get(request.subtype);
    // Refused without being worked on: thousands of answers that nobody reads would be kept otherwise, each with its request.
    if (!handler) return this.#send(refusal(request_id, unsupported(request)));
    const message: ControlRequest = { type: 'control_request', request_id, request };
    const work: InWork = { message, handler, controller: new AbortController() };
    this.#inWork.set(request_id, work);
    void this.#serve(work);
    return undefined;
  }

  /** Answer a request that cannot be read. Returns what is wrong with one that cannot be answered, or what to wait for. */
  refuse({ request_id }: JsonObject, { code, message }: SignalboxError): string | Promise<void> {
    if (typeof request_id !== 'string') return message;
    return this.#send(refusal(request_id, new ControlRefusal(message, { error_code: code.toLowerCase() })));
  }

  /** The other side does not wait any more: stop the handler and answer nothing. */
  cancel({ request_id }: JsonObject): string | undefined {
    if (typeof request_id !== 'string') return 'a cancel without request_id';
    const work = this.#inWork.get(request_id);
    this.#inWork.delete(request_id);
    work?.controller.abort(new Error('The request was cancelled.'));
    return undefined;
  }

  close(): void {
    const all = [...this.#inWork.values()];
    this.#inWork.clear();
    for (const { controller } of all) controller.abort(new Error('The channel closed.'));
  }

  async #serve(work: InWork): Promise<void> {
    const { request_id } = work.message;
    this.#busy += 1;
    const answer = await this.#answerTo(work);
    // Cancelled ids are free for the next request, so the id alone does not tell whose answer this is.
    if (this.#inWork.get(request_id) === work) {
      this.#inWork.delete(request_id);
      await this.#send(answer);
    }
    this.#busy -= 1;
  }

  async #answerTo({ message: { request_id, request }, handler, controller }: InWork): Promise<string> {
    try {
      const response = await handler(request, { requestId: request_id, signal: controller.signal });
      return encodeAnswer({ subtype: 'success', request_id, ...(response ? { response } : {}) });
    } catch (error) {
      return refusal(request_id, error);
    }
  }
}

function unsupported({ subtype }: ControlRequestBody): ControlRefusal {
  return new ControlRefusal(`Unsupported control request: ${subtype}`, { error_code: 'unsupported_request' });
}

function noSubtype(): ControlRefusal {
  return new ControlRefusal('The request has no subtype.', { error_code: 'invalid_request' });
}

function tooManyRequests(): ControlRefusal {
  return new ControlRefusal(`More than ${LIMITS.requestsInWork.most} requests are in work.`, {
    error_code: 'too_many_requests',
  });
}

/** Never throws: what a handler threw may have no text, and its fields may not be JSON. */
function refusal(request_id: string, error: unknown): string {
  const envelope = { subtype: 'error', request_id };
  try {
    const fields = error instanceof ControlRefusal ? error.fields : {};
    // A refusal passed on from another peer brings that peer's envelope: ours must win.
    return encodeAnswer({ ...fields, ...envelope, error: messageOf(error) });
  } catch {
    return encodeAnswer({ ...envelope, error: 'The request failed for a reason that JSON cannot express.' });
  }
}

function encodeAnswer(response: JsonObject): string {
  return JSON.stringify({ type: 'control_response', response });
}
