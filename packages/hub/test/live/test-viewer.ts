import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';

/** What a viewer was told. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
export type Told = any;

/** A viewer of /api/stream that remembers everything. */
export class TestViewer {
  readonly told: Told[] = [];
  /** The same, as it came. */
  readonly lines: string[] = [];
  readonly socket: WebSocket;
  closed: { code: number; reason: string } | undefined;
  #next = 1;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const lines = Buffer.isBuffer(data) ? data.toString().split('\n').filter(Boolean) : [];
      this.lines.push(...lines);
      for (const line of lines) this.told.push(JSON.parse(line));
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    socket.on('error', () => {});
  }

  static async connect(url: string, token: string, options: ClientOptions = {}): Promise<TestViewer> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/stream`, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      ...options,
    });
    const viewer = new TestViewer(socket);
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    return viewer;
  }

  /** Say something, and wait for its answer. */
  async ask(message: Record<string, unknown>): Promise<Told> {
    const id = `op-${this.#next++}`;
    this.socket.send(JSON.stringify({ id, ...message }));
    return this.find(({ type, id: of }) => (type === 'ack' || type === 'error') && of === (message.id ?? id));
  }

  /** The first message that fits; waits until there is one. */
  async find(fits: (message: Told) => boolean): Promise<Told> {
    for (;;) {
      const found = this.told.find(fits);
      if (found) return found;
      if (this.closed) throw new Error(`closed: ${this.closed.code}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Entries of the record, in the order in which they came. */
  get entries(): Told[] {
    return this.told.filter(({ type }) => type === 'sdk-message');
  }

  get cursor(): { seq: number; check: number } {
    const { seq, check } = this.entries.at(-1);
    return { seq, check };
  }
}
