import { LIMITS, messageOf } from '@signalbox/protocol';
import {
  decodeLinkFrame,
  ERROR_HEADER,
  encodeLinkFrame,
  isFinalStatus,
  LINK_HEADER,
  LINK_VERSION,
  type LinkFrame,
  type LinkPosition,
  PING_INTERVAL_MS,
  RUN_HEADER,
} from '@signalbox/transport';
import { type RawData, WebSocket } from 'ws';
import { NO_RUN } from './agent-run.ts';
import { RedeliveryError } from './bridge-errors.ts';
import type { HubAddress } from './hub-address.ts';
import type { LeftRun } from './left-run.ts';

const GOING_AWAY = 1001;
const NEWLINE = 0x0a;

/** Lines are gathered into frames of about this size, unless one line is longer. */
const FRAME_BYTES = 64 * 1024;

/**
 * Deliver what a bridge left, under the epoch it had, so that the hub drops what it has already. Settles when the
 * hub has acknowledged the last line; rejects with {@link RedeliveryError} when the connection ends before.
 */
export async function redeliver(
  run: LeftRun,
  { url, agent, token }: HubAddress,
  signal: AbortSignal,
): Promise<void> {
  const { last } = run;
  if (last === 0) return;
  const bearer = token();
  const socket = new WebSocket(url, {
    headers: {
      [LINK_HEADER]: LINK_VERSION,
      [RUN_HEADER]: NO_RUN,
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    },
    ...(agent ? { agent } : {}),
    maxPayload: LIMITS.frameBytes.most,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const leave = (): void => socket.terminate();
  signal.addEventListener('abort', leave);
  try {
    await new Redelivery(run, last, socket).done;
  } finally {
    signal.removeEventListener('abort', leave);
    // Not a goodbye: the bridge itself comes next.
    socket.close(GOING_AWAY);
  }
}

/** One connection of a lossless link that sends the lines of a {@link LeftRun}, and takes none. */
class Redelivery {
  readonly done: Promise<void>;
  readonly #run: LeftRun;
  readonly #last: number;
  readonly #socket: WebSocket;
  #greeting: 'awaited' | 'heard' = 'awaited';
  #flow: 'going' | 'held' = 'going';
  #go: () => void = () => {};

  constructor(run: LeftRun, last: number, socket: WebSocket) {
    this.#run = run;
    this.#last = last;
    this.#socket = socket;
    this.done = new Promise((resolve, reject) => {
      const fail = (reason: unknown, status?: number): void =>
        reject(new RedeliveryError(messageOf(reason), status));
      socket.on('error', (error) => fail(error));
      socket.once('close', (code) => fail(`the connection was closed with ${code}`));
      socket.once('unexpected-response', (_request, { statusCode = 0, headers }) => {
        const code = headers[ERROR_HEADER] ?? '';
        fail(
          `the hub answered ${`${statusCode} ${String(code)}`.trim()}${isFinalStatus(statusCode) ? ': check the token, the URL and --session' : ''}`,
          statusCode,
        );
        socket.terminate();
      });
      socket.once('upgrade', ({ headers }) => {
        if (headers[LINK_HEADER] !== LINK_VERSION) fail('the hub does not know the lossless link');
      });
      socket.once('open', () => this.#say({ link: 'hello', epoch: run.epoch, received: null }));
      socket.on('message', (data, isBinary) => {
        // Lines of the hub are for an agent; an old hub sends them again to the link that has one.
        if (!isBinary) return;
        try {
          if (this.#heard(data, fail) === 'finished') resolve();
        } catch (error) {
          fail(error);
        }
      });
    });
    this.#watchPulse();
  }

  #heard(data: RawData, fail: (reason: unknown) => void): 'finished' | undefined {
    const frame = decodeLinkFrame(Buffer.isBuffer(data) ? data : Buffer.alloc(0));
    switch (frame.link) {
      case 'hello':
        // All would be sent again for each of them.
        if (this.#greeting === 'heard') throw new Error('the hub sent a second hello');
        this.#greeting = 'heard';
        this.#sendFrom(firstMissing(frame.received, this.#run.epoch)).catch(fail);
        return undefined;
      case 'hold':
        this.#flow = 'held';
        return undefined;
      case 'go':
        this.#flow = 'going';
        this.#go();
        return undefined;
      case 'ack':
        return frame.count >= this.#last ? 'finished' : undefined;
      default:
        return undefined;
    }
  }

  async #sendFrom(number: number): Promise<void> {
    for (const { first, content } of this.#run.batchesFrom(number)) {
      this.#say({ link: 'start', number: first });
      for (let start = 0; start < content.length; ) {
        const newline = content.indexOf(NEWLINE, Math.min(start + FRAME_BYTES, content.length - 1));
        await this.#send(content.subarray(start, newline + 1));
        start = newline + 1;
      }
    }
  }

  async #send(lines: Buffer): Promise<void> {
    while (this.#flow === 'held') await new Promise<void>((go) => (this.#go = go));
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(lines, { binary: false }, (error) => (error ? reject(error) : resolve()));
    });
  }

  #say(frame: LinkFrame): void {
    this.#socket.send(encodeLinkFrame(frame), { binary: true });
  }

  /** A hub that is silent for two pings is gone, whatever TCP says. */
  #watchPulse(): void {
    let beats = 0;
    const timer = setInterval(() => {
      beats += 1;
      if (beats > 2) this.#socket.terminate();
      else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    }, PING_INTERVAL_MS);
    const alive = (): void => void (beats = 0);
    this.#socket.on('pong', alive).on('message', alive);
    this.#socket.once('close', () => clearInterval(timer));
  }
}

/** The number of the first line that the hub lacks. */
function firstMissing(received: LinkPosition | null, epoch: string): number {
  return received?.epoch === epoch ? received.count + 1 : 1;
}
