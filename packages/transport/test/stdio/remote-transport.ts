import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { SignalboxError, WireLine } from '@signalbox/protocol';
import { StateBox } from '../../src/state-box.ts';
import { ChildTransport } from '../../src/stdio/child-transport.ts';
import type { Transport, TransportState } from '../../src/transport.ts';
import { TransportClosedError } from '../../src/transport-errors.ts';
import type { RemoteCall, RemoteReport } from './remote-protocol.ts';

interface Pending {
  resolve: (line: WireLine | undefined) => void;
  reject: (error: SignalboxError) => void;
}

/** The transport inside of a child that runs `remote-end.ts`, as if it were here. */
export class RemoteTransport implements Transport {
  readonly #child: ChildProcess;
  readonly #state = new StateBox('connecting');
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #consumers = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: RemoteReport) => this.#heard(report));
    // Not when it exits: what it said before may not be heard yet.
    child.once('disconnect', () => this.#gone());
  }

  get state(): TransportState {
    return this.#state.current;
  }

  onStateChange(listener: (state: TransportState) => void): () => void {
    return this.#state.watch(listener);
  }

  send(line: string | Uint8Array): Promise<void> {
    const sent = this.#ask({ call: 'send', line }).then(() => {});
    sent.catch(() => {});
    return sent;
  }

  receive(): AsyncIterableIterator<WireLine> {
    const consumer = this.#consumers;
    this.#consumers += 1;
    return {
      next: async () => {
        const value = await this.#ask({ call: 'next', consumer });
        return value ? { done: false, value } : { done: true, value };
      },
      return: async () => {
        await this.#ask({ call: 'return', consumer });
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async close(): Promise<void> {
    // Refused by a process that ended: that closed its transport too.
    await this.#ask({ call: 'close' }).catch(() => {});
  }

  /** Stop driving the process, which may keep it from ending. */
  release(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #ask(call: RemoteCall): Promise<WireLine | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ ...call, id }, (error) => error && this.#gone());
    });
  }

  #heard(report: RemoteReport): void {
    if ('state' in report) return this.#state.set(report.state);
    const pending = this.#pending.get(report.id);
    this.#pending.delete(report.id);
    if (report.outcome === 'failed') pending?.reject(new SignalboxError(report.code, report.message));
    else pending?.resolve(report.outcome === 'line' ? WireLine.of(report.bytes) : undefined);
  }

  /** A process that ended has closed its transport. */
  #gone(): void {
    this.#state.set('closed');
    for (const { reject } of this.#pending.values()) reject(new TransportClosedError());
    this.#pending.clear();
  }
}

/** Start `remote-end.ts`: its host's transport to it, and its own transport to its host. */
export async function connectStdio(
  script: string,
): Promise<{ host: ChildTransport; program: RemoteTransport }> {
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
  if (!hasPipes(child)) throw new Error('no pipes');
  const program = new RemoteTransport(child);
  // Beside other work the program takes seconds to read all. One that waits for a reader which has left is killed after it.
  const graceMs = { afterEndOfInput: 10_000, afterSigterm: 10_000 };
  const host = new ChildTransport(child, { command: process.execPath, graceMs });
  await once(child, 'message');
  return { host, program };
}

function hasPipes(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}
