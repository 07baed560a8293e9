// Viewers of one session. The first looks at every message: whether it is the next one, and when it came. The others look at
// the last one of each frame: fifty who look closely would be measured instead of what they watch.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { numberIn, serve, sharedClockMs, timeIn } from './hub-helper.ts';

const NEWLINE = 0x0a;
const ENTRY = '{"type":"sdk-message"';
/** A byte by which an entry is told from what else a hub says. */
const TELLING = ENTRY.indexOf('-');
const DASH = 0x2d;

interface Watch {
  kind: 'hub' | 'relay';
  url: string;
  token: string;
  sessions: string[];
  /** Viewers of each session. */
  count: number;
  deflate?: boolean;
  /** Keep how long messages took. */
  timed?: boolean;
}

/** One connection, and the messages of the session that it watches. */
class Viewer {
  readonly delays: number[] = [];
  next = 1;
  closed: { code: number; reason: string } | undefined;
  readonly #isTimed: boolean;
  readonly #isThorough: boolean;
  #socket: WebSocket | undefined;
  #cursor = { seq: 0, check: 0 };
  #until: { number: number; reached: (atMs: number) => void } | undefined;

  constructor(isTimed: boolean, isThorough = true) {
    this.#isTimed = isTimed;
    this.#isThorough = isThorough;
  }

  get socket(): WebSocket | undefined {
    return this.#socket;
  }

  /** The last entry that it saw. */
  get cursor(): { seq: number; check: number } {
    return this.#cursor;
  }

  /** Look at what comes over this connection. */
  attend(socket: WebSocket, kind: Watch['kind']): void {
    this.#socket = socket;
    this.closed = undefined;
    socket.on('message', (data) => {
      if (!Buffer.isBuffer(data)) throw new Error('not a buffer');
      if (kind === 'relay') this.#see(data, data.length);
      else if (this.#isThorough) this.#seeLines(data);
      else this.#seeLast(data);
      if (this.#until && this.next > this.#until.number) {
        this.#until.reached(sharedClockMs());
        this.#until = undefined;
      }
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    socket.on('error', () => {});
  }

  reaches(number: number): Promise<number> {
    if (this.next > number) return Promise.resolve(sharedClockMs());
    return new Promise((reached) => {
      this.#until = { number, reached };
    });
  }

  #seeLines(bytes: Buffer): void {
    let start = 0;
    let lastEntry = -1;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      // The brace of the entry comes after that of the message. An entry without a number is not of the benchmark.
      if (bytes[start + TELLING] === DASH) {
        lastEntry = start;
        if (numberIn(bytes, end - 1) >= 0) this.#see(bytes, end - 1);
      }
      start = end + 1;
    }
    if (lastEntry === -1) return;
    const head = bytes.toString('latin1', lastEntry, lastEntry + 300);
    this.#cursor = {
      seq: Number(/"seq":(\d+)/.exec(head)?.[1]),
      check: Number(/"check":(\d+)/.exec(head)?.[1]),
    };
  }

  #seeLast(bytes: Buffer): void {
    const end = bytes.length - 1;
    const start = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    if (bytes[start + TELLING] !== DASH) return;
    const number = numberIn(bytes, end - 1);
    if (number < 0) return;
    if (number < this.next) throw new Error(`${number} came where ${this.next} was due`);
    this.next = number + 1;
  }

  #see(bytes: Buffer, end: number): void {
    const number = numberIn(bytes, end);
    if (number !== this.next) throw new Error(`${number} came where ${this.next} was due`);
    this.next += 1;
    if (this.#isTimed) this.delays.push(sharedClockMs() - timeIn(bytes, end));
  }
}

let viewers: Viewer[] = [];
let slow: { viewer: Viewer; session: string; stop: () => void } | undefined;

async function watch({
  kind,
  url,
  token,
  sessions,
  count,
  deflate = false,
  timed = false,
}: Watch): Promise<void> {
  for (const session of sessions) {
    for (let index = 0; index < count; index += 1) {
      const viewer = new Viewer(timed, index === 0);
      viewers.push(viewer);
      const path = kind === 'hub' ? '/api/stream' : `/view/${session}`;
      const socket = new WebSocket(`${url}${path}`, options(token, deflate));
      viewer.attend(socket, kind);
      await once(socket, 'open');
      if (kind === 'hub') await subscribe(socket, session);
    }
  }
}

function options(token: string, deflate: boolean) {
  return {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: deflate,
    skipUTF8Validation: true,
  };
}

/** Settles when the viewer has caught up. */
async function subscribe(socket: WebSocket, session: string, cursor?: object): Promise<void> {
  const acknowledged = new Promise<void>((resolve) => {
    const look = (data: Buffer): void => {
      if (!data.includes('"ack"')) return;
      socket.off('message', look);
      resolve();
    };
    socket.on('message', look);
  });
  socket.send(JSON.stringify({ type: 'subscribe', id: 'watch', session, ...(cursor ? { cursor } : {}) }));
  await acknowledged;
}

/** One that reads so many bytes a second, from when it has caught up. */
async function watchSlowly({ url, token, session, bytes }: SlowWatch): Promise<void> {
  const { hostname, port } = new URL(url);
  let tcp: Socket | undefined;
  const viewer = new Viewer(false);
  const socket = new WebSocket(`${url}/api/stream`, {
    ...options(token, false),
    createConnection: () => {
      tcp = connect(Number(port), hostname);
      return tcp;
    },
  });
  viewer.attend(socket, 'hub');
  await once(socket, 'open');
  await subscribe(socket, session);
  tcp?.pause();
  // What is read is also told to who listens for data.
  const timer = setInterval(() => tcp?.read(bytes), 1000);
  slow = { viewer, session, stop: () => clearInterval(timer) };
}

interface SlowWatch {
  url: string;
  token: string;
  session: string;
  bytes: number;
}

serve({
  watch,
  watchSlowly,
  /** Read all that has come for the slow one, and see how it ended. */
  hurry: async () => {
    if (!slow) return undefined;
    slow.stop();
    slow.viewer.socket?.resume();
    while (!slow.viewer.closed) await new Promise((resolve) => setTimeout(resolve, 20));
    return { ...slow.viewer.closed, seen: slow.viewer.next - 1 };
  },
  /** Let the slow one come back, with time to read; gives how long it took to get to this number. */
  resume: async ({ url, token, number }: { url: string; token: string; number: number }) => {
    if (!slow) return 0;
    const startMs = sharedClockMs();
    const { viewer, session } = slow;
    const { cursor } = viewer;
    const socket = new WebSocket(`${url}/api/stream`, options(token, false));
    viewer.attend(socket, 'hub');
    await once(socket, 'open');
    await subscribe(socket, session, cursor);
    return (await viewer.reaches(number)) - startMs;
  },
  /** Be dialled by an agent: one hop and nothing between. */
  listen: async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => {
      const viewer = new Viewer(true);
      viewers.push(viewer);
      viewer.attend(socket, 'relay');
    });
    await once(server, 'listening');
    const address = server.address();
    return `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  },
  /** Settles when every viewer has seen all up to this number, each once and in order; gives when that was. */
  reach: async ({ number }: { number: number }) =>
    Math.max(...(await Promise.all(viewers.map((viewer) => viewer.reaches(number))))),
  delays: () => viewers.flatMap(({ delays }) => delays.splice(0)),
  leave: async () => {
    const leaving = viewers;
    viewers = [];
    for (const { socket } of leaving) socket?.terminate();
  },
});
