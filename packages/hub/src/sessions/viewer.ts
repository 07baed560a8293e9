import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Cursor, HubNote } from '@signalbox/protocol/hub';
import type { WebSocket } from 'ws';
import type { Frame } from './frame.ts';
import { noteFrame } from './stream-message.ts';

/** What may wait for a viewer that reads slowly; then it is closed, and resumes from its cursor when it likes. */
export const MAX_VIEWER_BYTES = 16 * 1024 * 1024;

/** Below this, a viewer that is catching up is given more. */
const VIEWER_LOW_WATER_BYTES = 1024 * 1024;

/** Closes of the stream, beside those of RFC 6455. */
export const STREAM_CLOSE = { goingAway: 1001, refused: 1008, unreadable: 1011, tooSlow: 4008 } as const;

/** How long a viewer that was closed may take to read what was written before. */
const CLOSE_PATIENCE_MS = 10_000;

/** The way out to one viewer: frames gather, and leave in one write a tick. */
export class Viewer {
  /** Where one that is too slow goes on; undefined when it watches more than one session. */
  resumeFrom: () => Cursor | undefined = () => undefined;
  /** Whether it inflates what it gets. */
  readonly inflates: boolean;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  #buffers: Buffer[] = [];
  #bytes = 0;
  /** How much more may wait while a frame is read that is longer than that by itself. */
  #long = 0;
  #state: 'open' | 'closing' = 'open';

  /** `socket` is what the WebSocket runs over. */
  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.inflates = webSocket.extensions.includes('permessage-deflate');
  }

  say(message: HubNote): void {
    this.write(noteFrame(message));
  }

  write(frame: Frame): void {
    if (this.#state !== 'open' || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // Whole frames only: the WebSocket writes its own between them.
    const buffer = this.inflates ? frame.deflated : frame.plain;
    if (this.#buffers.push(buffer) === 1) setImmediate(() => this.#flush());
    this.#bytes += buffer.length;
    const waiting = this.#bytes + this.#socket.writableLength;
    // A single frame may be longer, when next to nothing else waits: what comes while it is read counts beside it.
    if (waiting - buffer.length < VIEWER_LOW_WATER_BYTES)
      this.#long = Math.max(0, buffer.length - MAX_VIEWER_BYTES + VIEWER_LOW_WATER_BYTES);
    if (waiting > MAX_VIEWER_BYTES + this.#long) this.#closeSlow();
  }

  async drained(): Promise<void> {
    if (this.#buffers.length > 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.#socket.writableLength < VIEWER_LOW_WATER_BYTES || this.#socket.destroyed) return;
    const closed = new AbortController();
    const stop = (): void => closed.abort();
    this.#socket.once('close', stop);
    await once(this.#socket, 'drain', { signal: closed.signal }).catch(() => undefined);
    this.#socket.off('close', stop);
  }

  close(code: number, reason: string): void {
    if (this.#state === 'closing') return;
    this.#flush();
    this.#state = 'closing';
    this.#webSocket.close(code, reason);
    setTimeout(() => this.#webSocket.terminate(), CLOSE_PATIENCE_MS).unref();
  }

  #closeSlow(): void {
    const cursor = this.resumeFrom();
    this.close(STREAM_CLOSE.tooSlow, cursor ? JSON.stringify(cursor) : 'too slow: resume');
  }

  #flush(): void {
    const buffers = this.#buffers;
    this.#buffers = [];
    this.#bytes = 0;
    if (buffers.length === 0 || this.#socket.destroyed) return;
    this.#socket.cork();
    for (const buffer of buffers) this.#socket.write(buffer);
    this.#socket.uncork();
  }
}
