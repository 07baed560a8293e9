import { messageOf, WireLine } from '@signalbox/protocol';
import type { WebSocketTransport } from '@signalbox/transport';
import { type ChildExit, LineQueue } from '@signalbox/transport/stdio';
import type { AgentProcess } from '../process/agent-process.ts';
import { InputEnd } from '../query/input-end.ts';
import { CLIConnectionError } from '../sdk-errors.ts';
import { type AgentPeer, fieldsOf } from './agent-peer.ts';

/** What it takes of a transport. */
export type Connection = Pick<WebSocketTransport, 'connect' | 'send' | 'receive' | 'close'>;

/**
 * An agent at the other end of a connection, in the place of a process. A connection has no end of input: where a process
 * would be told of it, this one leaves once the turn is over.
 */
export class RemoteAgent implements AgentProcess {
  readonly exited: Promise<ChildExit>;
  readonly stderrTail = '';
  readonly #connection: Connection;
  readonly #peer: AgentPeer;
  readonly #lines = new LineQueue({ onRoom: () => this.#onRoom() });
  readonly #input = new InputEnd(() => void this.close());
  #onRoom: () => void = () => {};

  constructor(connection: Connection, peer: AgentPeer, signal: AbortSignal) {
    this.#connection = connection;
    this.#peer = peer;
    this.exited = this.#read();
    signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  send(line: string | Uint8Array): Promise<void> {
    const outgoing = this.#peer.outgoing(WireLine.of(line));
    if (outgoing.head().type === 'user') this.#input.promptSent();
    return this.#connection.send(outgoing.bytes());
  }

  receive(): LineQueue {
    return this.#lines.claim();
  }

  async endInput(): Promise<void> {
    this.#input.noMorePrompts({ waitForTurn: true });
  }

  async close(): Promise<void> {
    // Prompts that the peer did not get are of no use to one who leaves.
    await this.#connection.close().catch(() => {});
  }

  async #read(): Promise<ChildExit> {
    try {
      await this.#connection.connect();
      for await (const line of this.#connection.receive()) {
        for (const one of this.#peer.incoming(line)) await this.#pass(one);
      }
      this.#lines.end();
      return { code: 0, signal: null };
    } catch (cause) {
      this.#lines.end(new CLIConnectionError(`The agent cannot be reached: ${messageOf(cause)}`, cause));
      await this.close();
      return { code: 1, signal: null };
    }
  }

  async #pass(line: WireLine): Promise<void> {
    const hasRoom = this.#lines.push(line);
    this.#watch(line);
    if (hasRoom) return;
    await new Promise<void>((resolve) => {
      this.#onRoom = resolve;
    });
  }

  #watch(line: WireLine): void {
    const { type, subtype } = line.head();
    if ((type !== 'result' && subtype !== 'session_state_changed') || line.isTooDeep) return;
    const { queued_turn_count: queued, state } = fieldsOf(line.json());
    const { queuedPrompts } = this.#peer;
    if (type === 'result') this.#input.resultSeen(queuedPrompts + (typeof queued === 'number' ? queued : 0));
    // Idle after the turn of somebody else is not the end of ours.
    else if (queuedPrompts === 0) this.#input.stateSeen(state);
  }
}
