// A session of a hub as an agent: what a host that knows agents and no hubs is told of it. The hub does so on its wire, and
// `signalbox attach` for the chat.

import { ControlRefusedError } from '../control/control-errors.ts';
import { messageOf, SignalboxError } from '../errors.ts';
import type { JsonObject } from '../json-fields.ts';
import type { Author } from './schema/author.ts';

/**
 * What such a host is told of an entry of the record: the line as it is, a question or an answer of the agent, a prompt that
 * agents would repeat, a note of the hub, what somebody answered the agent, or nothing.
 */
export type HostShare = 'line' | 'control' | 'replay' | 'note' | 'answer' | 'nothing';

/** What a host is told of an entry, by its author and the type of its line. */
export function hostShare(author: Author, type: string | undefined): HostShare {
  if (author.by === 'agent') {
    if (type === 'bridge') return 'nothing';
    return type?.startsWith('control_') ? 'control' : 'line';
  }
  if (type === 'hub') return 'note';
  return type === 'user' ? 'replay' : 'answer';
}

/** A prompt as agents repeat it to their hosts. */
export function replayOf(message: JsonObject): JsonObject {
  return { ...message, isReplay: true };
}

/** A question of the agent, as it asks it. */
export function askMessage(requestId: string, request: JsonObject): JsonObject {
  return { type: 'control_request', request_id: requestId, request };
}

/** A question of the agent is over. */
export function cancelMessage(requestId: string): JsonObject {
  return { type: 'control_cancel_request', request_id: requestId };
}

/** What a host hears that asked the agent something. */
export async function answerMessage(requestId: string, answer: Promise<JsonObject>): Promise<JsonObject> {
  try {
    const response = { subtype: 'success', request_id: requestId, response: await answer };
    return { type: 'control_response', response };
  } catch (error) {
    return refusalMessage(requestId, error);
  }
}

export function refusalMessage(requestId: string, error: unknown): JsonObject {
  return { type: 'control_response', response: refusal(requestId, error) };
}

function refusal(requestId: string, error: unknown): JsonObject {
  // An agent's own refusal is passed on as it said it.
  if (error instanceof ControlRefusedError) return { ...error.response, request_id: requestId };
  const code = error instanceof SignalboxError ? { error_code: error.code.toLowerCase() } : {};
  return { subtype: 'error', request_id: requestId, error: messageOf(error), ...code };
}

/** The questions of an agent that a host was asked, and are not over. */
export class HostAsks {
  readonly #asks = new Map<string, 'asked' | 'answering'>();

  /** True if the host is to be asked: it was not yet. */
  begin(requestId: string): boolean {
    if (this.#asks.has(requestId)) return false;
    this.#asks.set(requestId, 'asked');
    return true;
  }

  /** The host answers it: it need not be told that it was answered, and is not asked again meanwhile. */
  answering(requestId: string): void {
    if (this.#asks.has(requestId)) this.#asks.set(requestId, 'answering');
  }

  /** It is over. True if the host is to be told: it was asked, and has not answered. */
  end(requestId: string): boolean {
    const state = this.#asks.get(requestId);
    this.#asks.delete(requestId);
    return state === 'asked';
  }
}
