import { setImmediate } from 'node:timers/promises';
import { ControlPeer, type ControlPeerOptions, type JsonObject } from '@signalbox/protocol';
import { createChannelPair, type TestChannel } from './channel-pair.ts';

/** The other side of a peer under test: says whole lines, and hears what the peer says. */
export class FarSide {
  readonly #channel: TestChannel;
  readonly heard: JsonObject[] = [];

  constructor(channel: TestChannel) {
    this.#channel = channel;
    void this.#listen();
  }

  /** Say a line, and wait until the peer has done with it all that it can do at once. */
  async say(line: JsonObject | string): Promise<void> {
    await this.#channel.send(typeof line === 'string' ? line : JSON.stringify(line));
    await quiet();
  }

  ask(request_id: string, request: unknown): Promise<void> {
    return this.say({ type: 'control_request', request_id, request });
  }

  answer(request_id: unknown, response?: unknown): Promise<void> {
    return this.say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  }

  refuse(request_id: unknown, error: unknown, fields: JsonObject = {}): Promise<void> {
    return this.say({
      type: 'control_response',
      response: { subtype: 'error', request_id, error, ...fields },
    });
  }

  cancel(request_id: string): Promise<void> {
    return this.say({ type: 'control_cancel_request', request_id });
  }

  async end(): Promise<void> {
    this.#channel.end();
    await quiet();
  }

  async fail(error: unknown): Promise<void> {
    this.#channel.fail(error);
    await quiet();
  }

  async #listen(): Promise<void> {
    for await (const line of this.#channel.receive()) this.heard.push(JSON.parse(line.text()));
  }
}

/** Nothing here takes real time, so one turn of the event loop settles all that can settle. */
export async function quiet(): Promise<void> {
  await setImmediate();
}

export interface Started {
  peer: ControlPeer;
  near: TestChannel;
  far: FarSide;
  ended: Promise<void>;
}

/** A running peer that numbers its requests `r1`, `r2`, … */
export function startPeer(options: ControlPeerOptions = {}): Started {
  const [near, other] = createChannelPair();
  let count = 0;
  const createRequestId = (): string => `r${(count += 1)}`;
  const peer = new ControlPeer(near, { createRequestId, ...options });
  return { peer, near, far: new FarSide(other), ended: peer.run() };
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was not rejected.');
}

export function success(request_id: string, response?: JsonObject): JsonObject {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id, ...(response ? { response } : {}) },
  };
}

export function refusal(request_id: string, error: unknown, fields: JsonObject = {}): JsonObject {
  return { type: 'control_response', response: { subtype: 'error', request_id, error, ...fields } };
}
