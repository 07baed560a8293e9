import { isJsonObject, type JsonObject, RELAY_STATUS, type WireLine } from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';

/** What a chat may rely on in an introduction. */
const INTRODUCTION: JsonObject = {
  commands: [],
  output_style: 'default',
  available_output_styles: [],
  models: [],
  account: {},
};

/**
 * An agent behind a relay of strangers, as a chat knows agents: the chat is one of its frontends. Of several agents it is the one that
 * is named, or else the first that speaks.
 */
export class RelayAgent {
  readonly #relay: Transport;
  readonly #chat: Transport;
  #session: string | undefined;
  #absence: string | undefined = 'no agent is connected to the relay';

  constructor(relay: Transport, chat: Transport, session: string | undefined) {
    this.#relay = relay;
    this.#chat = chat;
    this.#session = session;
  }

  /** Why nothing is heard of the agent. */
  absence(): string | undefined {
    return this.#absence;
  }

  /** Pass lines on until one of the two leaves. */
  async run(): Promise<void> {
    const ways = [this.#fromRelay(), this.#fromChat()];
    await Promise.race(ways).catch(() => {});
    await Promise.allSettled([this.#relay.close(), this.#chat.close()]);
    await Promise.allSettled(ways);
  }

  async #fromRelay(): Promise<void> {
    for await (const line of this.#relay.receive()) {
      const { type, sessionId } = line.head();
      if (type === 'status') this.#hearStatus(line);
      else if (this.#isOurs(sessionId)) {
        this.#absence = undefined;
        await this.#chat.send(line.bytes());
      }
    }
  }

  async #fromChat(): Promise<void> {
    for await (const line of this.#chat.receive()) {
      const message = fieldsOf(line);
      // The relay has greeted the agent. A second greeting would be for all of its frontends.
      if (isGreeting(message)) await this.#introduce(message);
      else if (message['type'] === 'user')
        await this.#relay.send(JSON.stringify({ ...message, session_id: this.#session ?? '' }));
      else await this.#relay.send(line.bytes());
    }
  }

  #isOurs(sessionId: string | undefined): boolean {
    if (!sessionId) return true;
    this.#session ??= sessionId;
    return sessionId === this.#session;
  }

  #hearStatus(line: WireLine): void {
    const { text, session_id: id } = fieldsOf(line);
    const isOther = typeof id === 'string' && this.#session !== undefined && id !== this.#session;
    if (isOther) return;
    if (text === RELAY_STATUS.disconnected) this.#absence = 'the agent has left the relay';
    else if (text === RELAY_STATUS.connected || text === RELAY_STATUS.alreadyConnected)
      this.#absence = undefined;
    // What is wrong with something that was said.
    else if (typeof text === 'string') this.#absence = text;
  }

  async #introduce({ request_id: id }: JsonObject): Promise<void> {
    const response = { subtype: 'success', request_id: id, response: INTRODUCTION };
    await this.#chat.send(JSON.stringify({ type: 'control_response', response }));
  }
}

function isGreeting({ type, request }: JsonObject): boolean {
  return type === 'control_request' && isJsonObject(request) && request['subtype'] === 'initialize';
}

function fieldsOf(line: WireLine): JsonObject {
  try {
    const value = line.json();
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
