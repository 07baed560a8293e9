import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, isJsonObject, type WireLine } from '@signalbox/protocol';
import { LineQueue, type StreamTransport } from '@signalbox/transport/stdio';
import { atItsWord } from '../agent-words.ts';
import { JSONDecodeError } from '../sdk-errors.ts';
import type { SessionMirror } from '../sessions/session-mirror.ts';
import type { SDKMessage } from '../types/messages.ts';
import type { UnreadMessages } from './unread-messages.ts';

/** Who else hears what an agent says. */
interface Listeners {
  /** Sees every message when it comes, before its reader does. */
  watch: (message: SDKMessage) => void;
  /** Gets the transcript, where somebody wants a copy. */
  mirror: SessionMirror | undefined;
}

type AgentLines = Pick<StreamTransport, 'send' | 'receive'>;

/**
 * Reads an agent: messages go to their reader, the control protocol to its peer. A line is parsed once, here; only
 * control lines, which are few, are parsed again by the peer.
 */
export class MessageReader {
  /** What the control peer talks to. */
  readonly control: Channel;
  readonly #agent: AgentLines;
  readonly #unread: UnreadMessages;
  readonly #listeners: Listeners;
  readonly #controlLines = new LineQueue({ onRoom: () => this.#resume?.() });
  #resume: (() => void) | undefined;

  constructor(agent: AgentLines, unread: UnreadMessages, listeners: Listeners) {
    this.#agent = agent;
    this.#unread = unread;
    this.#listeners = listeners;
    this.control = {
      send: (line) => agent.send(line),
      receive: () => this.#controlLines.claim(),
    };
  }

  /** Read until the agent has said all. Rejects when it breaks off or writes what is no message. */
  async run(): Promise<void> {
    try {
      const lines = this.#agent.receive();
      for await (const first of lines) {
        for (let line: WireLine | undefined = first; line; line = lines.take()) {
          const room = this.#take(line);
          if (room) await room;
        }
      }
    } finally {
      await this.#listeners.mirror?.flush();
      this.#controlLines.end();
    }
  }

  /** What to wait for before the next line. */
  #take(line: WireLine): Promise<void> | undefined {
    // The peer answers what is too deep to be read: the agent must not wait for ever.
    if (line.isTooDeep && line.head().type?.startsWith('control_')) return this.#passToPeer(line);
    const message = messageIn(line);
    const { mirror } = this.#listeners;
    switch (message?.type as string | undefined) {
      case 'control_request':
      case 'control_response':
      case 'control_cancel_request':
        return this.#passToPeer(line);
      case 'keep_alive':
        return undefined;
      case 'transcript_mirror':
        if (mirror) return mirror.take(atItsWord('mirror', message), line.byteLength);
        break;
      case 'result':
        if (mirror) return mirror.flush().then(() => this.#handOver(message, line.byteLength));
        break;
      default:
    }
    return this.#handOver(message, line.byteLength);
  }

  #handOver(message: SDKMessage | undefined, bytes: number): Promise<void> | undefined {
    if (!message) return undefined;
    this.#listeners.watch(message);
    if ('sdk_host_only' in message && message.sdk_host_only === true) return undefined;
    this.#unread.push(message, bytes);
    return this.#unread.room;
  }

  /** In a turn of its own: what the agent said before it asks must have reached whoever reads along. */
  async #passToPeer(line: WireLine): Promise<void> {
    await nextTurn();
    if (this.#controlLines.push(line)) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
  }
}

/** Undefined for what is no message: something that the agent loads may print to stdout. */
function messageIn(line: WireLine): SDKMessage | undefined {
  const text = line.text();
  try {
    const value = line.json();
    return isJsonObject(value) ? atItsWord('message', value) : undefined;
  } catch (error) {
    if (text.trimStart().startsWith('{')) throw new JSONDecodeError(text, error);
    return undefined;
  }
}
