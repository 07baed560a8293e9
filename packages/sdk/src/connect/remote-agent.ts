import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { isJsonObject, LineDecoder, WireLine } from '@signalbox/protocol';
import type { WebSocketTransport } from '@signalbox/transport';
import { InputEnd } from '../query/input-end.ts';
import type { SpawnedProcess } from '../types/process.ts';

const NEWLINE = Buffer.from('\n');

/** What it takes of a transport. */
export type Connection = Pick<WebSocketTransport, 'connect' | 'send' | 'receive' | 'close'>;

/**
 * An agent at the other end of a connection, in the shape of a process. A connection has no end of input: where a
 * process would be told of it, this one leaves once the turn is over.
 */
export class RemoteAgent extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  killed = false;
  exitCode: number | null = null;
  readonly #connection: Promise<Connection>;
  readonly #input = new InputEnd(() => void this.#leave());

  constructor(connection: Promise<Connection>, signal: AbortSignal) {
    super();
    this.#connection = connection;
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => void this.#say(chunk).then(() => done(), done),
      final: (done) => {
        this.#input.noMorePrompts({ waitForTurn: true });
        done();
      },
    });
    // A chunk at a time: when the connection fails, what came before must have been read.
    this.stdout = Readable.from(this.#hear(), { objectMode: false, highWaterMark: 1 });
    signal.addEventListener('abort', () => this.kill(), { once: true });
  }

  kill(): boolean {
    this.killed = true;
    void this.#leave();
    return true;
  }

  async #say(chunk: Buffer): Promise<void> {
    const connection = await this.#connection;
    const lines: WireLine[] = [];
    const decoder = new LineDecoder({ onLine: (line) => lines.push(line) });
    decoder.push(chunk);
    decoder.end();
    for (const line of lines) {
      if (line.head().type === 'user') this.#input.promptSent();
      await connection.send(line.bytes());
    }
  }

  async *#hear(): AsyncGenerator<Buffer> {
    let exitCode = 1;
    try {
      const connection = await this.#connection;
      await connection.connect();
      for await (const line of connection.receive()) {
        for (const one of [line, ...openQuestionsIn(line)]) yield Buffer.concat([one.bytes(), NEWLINE]);
        this.#watch(line);
      }
      exitCode = 0;
    } finally {
      this.exitCode = exitCode;
      this.emit('exit', exitCode, null);
    }
  }

  #watch(line: WireLine): void {
    const { type, subtype } = line.head();
    if (type !== 'result' && subtype !== 'session_state_changed') return;
    const { queued_turn_count: queued, state } = fieldsOf(line.json());
    if (type === 'result') this.#input.resultSeen(typeof queued === 'number' ? queued : 0);
    else this.#input.stateSeen(state);
  }

  async #leave(): Promise<void> {
    // Prompts that the peer did not get are of no use to one who leaves.
    await this.#connection.then((connection) => connection.close()).catch(() => {});
  }
}

/** An agent that was asked to initialize before refuses, and says which of its questions nobody has answered. */
function openQuestionsIn(line: WireLine): WireLine[] {
  if (line.head().type !== 'control_response') return [];
  const { pending_permission_requests: open } = fieldsOf(fieldsOf(line.json())['response']);
  return Array.isArray(open) ? open.map((question) => WireLine.of(JSON.stringify(question))) : [];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}
