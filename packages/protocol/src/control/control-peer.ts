import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject, objectAt } from '../json-fields.ts';
import { JsonTooDeepError } from '../line/json-depth.ts';
import type { WireLine } from '../line/wire-line.ts';
import { controlResponseOf, isRelayAnswer } from '../parse/relay-answer.ts';
import type { Channel } from './channel.ts';
import { ControlClosedError } from './control-errors.ts';
import type { ControlHandler, ControlRequest, ControlRequestBody } from './control-types.ts';
import { InboundRequests } from './inbound-requests.ts';
import { OutboundRequests, type RequestOptions } from './outbound-requests.ts';

/** What a {@link ControlPeer} is made of. */
export interface ControlPeerOptions {
  /**
   * Every line that is not part of the control protocol, in order. The next line waits for the promise, so
   * a handler that itself awaits a request of this peer must queue the line and return nothing.
   */
  onMessage?: (line: WireLine) => void | Promise<void>;
  /** An answer to a request that is no longer pending: timed out, aborted, or never sent by this process. */
  onLateResponse?: (response: JsonObject) => void;
  /** A control line that cannot be understood and cannot be answered. */
  onInvalidLine?: (line: WireLine, reason: string) => void;
  /** For requests that do not say their own; without it they wait for ever. */
  defaultTimeoutMs?: number;
  /** Must not repeat an id whose request is still pending. */
  createRequestId?: () => string;
}

/**
 * The one request/response engine of the protocol. Agents and hosts use it in opposite roles.
 * Whatever arrives is answered: by its handler, or with an error when there is none or it throws.
 */
export class ControlPeer {
  readonly #channel: Channel;
  readonly #options: ControlPeerOptions;
  readonly #outbound: OutboundRequests;
  readonly #inbound: InboundRequests;
  #state: 'idle' | 'running' | 'closed' = 'idle';

  constructor(channel: Channel, options: ControlPeerOptions = {}) {
    this.#channel = channel;
    this.#options = options;
    // Async, so that a channel that throws instead of rejecting breaks nothing.
    const send = async (line: string): Promise<void> => channel.send(line);
    this.#outbound = new OutboundRequests(send, options);
    this.#inbound = new InboundRequests((line) => send(line).catch(() => {}));
  }

  /** Answer requests of one subtype. The last handler for a subtype wins. */
  handle(subtype: string, handler: ControlHandler): void {
    this.#inbound.handle(subtype, handler);
  }

  /** Ask the other side, and wait for its answer. */
  request(body: ControlRequestBody, options: RequestOptions = {}): Promise<JsonObject> {
    return this.#outbound.request(body, options);
  }

  /** Send any other message of the protocol. */
  async send(message: JsonObject): Promise<void> {
    return this.#channel.send(JSON.stringify(message));
  }

  /** Permission requests of ours that nobody has answered yet, oldest first. */
  pendingPermissionRequests(): ControlRequest[] {
    return this.#outbound.pending().filter(({ request }) => request.subtype === 'can_use_tool');
  }

  /** Requests of the other side that our handlers are still working on, oldest first. */
  unansweredRequests(): ControlRequest[] {
    return this.#inbound.pending();
  }

  /**
   * Read the channel until it ends. Rejects when the channel fails or a callback of the options throws; in any
   * case every pending request is rejected and every running handler aborted.
   */
  async run(): Promise<void> {
    if (this.#state !== 'idle') throw new ControlClosedError('A control peer runs once.');
    this.#state = 'running';
    try {
      for await (const line of this.#channel.receive()) {
        if (this.#isClosed()) break;
        const handled = this.#dispatch(line);
        if (handled) await handled;
      }
      this.close();
    } catch (error) {
      this.close(error);
      throw error;
    }
  }

  /** Reject everything pending and abort every running handler. The channel stays its owner's to close. */
  close(cause?: unknown): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#outbound.close(cause);
    this.#inbound.close();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #dispatch(line: WireLine): void | Promise<void> {
    switch (line.head().type) {
      case 'control_request':
        return this.#control(line, (message) => this.#inbound.accept(message));
      case 'control_response':
        return this.#control(line, (message) => this.#settle(message));
      case 'control_cancel_request':
        return this.#control(line, (message) => this.#inbound.cancel(message));
      case 'keep_alive':
        return undefined;
      default:
        return this.#options.onMessage?.(line);
    }
  }

  /** `use` returns what is wrong with a message that it can neither use nor answer, or what to wait for. */
  #control(
    line: WireLine,
    use: (message: JsonObject) => string | undefined | Promise<void>,
  ): void | Promise<void> {
    let message: unknown;
    try {
      message = line.json();
    } catch (error) {
      if (error instanceof JsonTooDeepError) return this.#tooDeep(line);
      return this.#options.onInvalidLine?.(line, messageOf(error));
    }
    const outcome = isJsonObject(message) ? use(message) : 'not an object';
    return typeof outcome === 'string' ? this.#options.onInvalidLine?.(line, outcome) : outcome;
  }

  /** What cannot be read is answered all the same: whoever asks, or waits for an answer, must not wait for ever. */
  #tooDeep(line: WireLine): void | Promise<void> {
    let message: unknown;
    try {
      message = line.shallowJson();
    } catch (error) {
      return this.#options.onInvalidLine?.(line, messageOf(error));
    }
    const error = new JsonTooDeepError(undefined, message);
    const response = objectAt(message, 'response');
    const outcome =
      line.head().type === 'control_request'
        ? this.#inbound.refuse(isJsonObject(message) ? message : {}, error)
        : this.#outbound.fail(String(response.request_id), error);
    return typeof outcome === 'string' ? this.#options.onInvalidLine?.(line, outcome) : outcome;
  }

  #settle(message: JsonObject): string | undefined {
    const response = isRelayAnswer(message) ? controlResponseOf(message) : message.response;
    if (!isJsonObject(response) || typeof response.request_id !== 'string')
      return 'a response without request_id';
    if (!this.#outbound.settle(response)) this.#options.onLateResponse?.(message);
    return undefined;
  }
}
