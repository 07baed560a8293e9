import type { Socket } from 'node:net';
import { LIMITS, LineTooLongError, type WireLine } from '@signalbox/protocol';
import type { RawData, WebSocket } from 'ws';
import { encodeLinkFrame, type LinkFrame, type LinkProtocolError } from '../link/link-frame.ts';
import { joinLines, type OutgoingLine } from '../outgoing-line.ts';
import type { Reading, ReadingBudget } from '../reading-budget.ts';
import { answerPings } from './answer-pings.ts';
import { FrameReader } from './frame-reader.ts';
import { startHeartbeat } from './heartbeat.ts';
import { measure } from './measure.ts';

/** Close codes of our own, beside those of RFC 6455. */
export const CLOSE_CODE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  tooBig: 1009,
  replaced: 4000,
  failed: 4001,
} as const;

/** A frame may hold this much more than the longest line: several lines, and their line ends. */
export const FRAME_ALLOWANCE_BYTES = LIMITS.frameBytes.most - LIMITS.lineBytes.most;

/** Who is told what happens on a {@link LineSocket}. */
export interface LineSocketEvents {
  /** False asks for no more until `resume()`. */
  onLine: (line: WireLine) => boolean;
  /** False once nobody wants what this connection brings. */
  isWanted: () => boolean;
  onLinkFrame: (frame: LinkFrame) => void;
  /** The peer sent what cannot be understood; the connection is closing. */
  onViolation: (error: LineTooLongError | LinkProtocolError) => void;
  /** Once, whatever ended the connection. */
  onGone: (code: number, reason: string) => void;
}

/** What a {@link LineSocket} needs to know of its connection. */
export interface LineSocketOptions {
  link: 'plain' | 'lossless';
  /** What the WebSocket runs over. */
  stream: Socket;
  maxLineBytes: number;
  pingIntervalMs: number;
  /** How long the peer of a connection that we closed may take to say goodbye. */
  closeTimeoutMs: number;
  /** What long messages of this connection share with those of others. */
  readings?: ReadingBudget | undefined;
}

/** One WebSocket connection that carries lines in its text frames, many to a frame. */
export class LineSocket {
  /** Settles when the connection has ended. */
  readonly gone: Promise<void>;
  readonly #socket: WebSocket;
  readonly #events: LineSocketEvents;
  readonly #options: LineSocketOptions;
  readonly #reader: FrameReader;
  readonly #reading: Reading | undefined;
  /** Why the connection is not read. */
  readonly #pauses = new Set<'reader' | 'budget'>();
  #patience: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, events: LineSocketEvents, options: LineSocketOptions) {
    this.#socket = socket;
    this.#events = events;
    this.#options = options;
    this.#reader = new FrameReader(options.link, options.maxLineBytes, {
      onLine: events.onLine,
      onLinkFrame: events.onLinkFrame,
      onViolation: (error) => this.#refuse(error),
      isWanted: events.isWanted,
      // A connection that is closing is read to its end: the goodbye comes last.
      pause: () => this.isOpen && this.#pause('reader'),
      unpause: () => this.#unpause('reader'),
    });
    const reading = options.readings?.begin({
      pause: () => this.#pause('budget'),
      resume: () => this.#unpause('budget'),
      cut: () => socket.terminate(),
    });
    this.#reading = reading;
    if (reading) measure(socket, options.stream, reading);
    const stopHeartbeat = startHeartbeat(socket, options.stream, options.pingIntervalMs);
    answerPings(socket);
    socket.on('message', (data, isBinary) => this.#reader.push(bytesOf(data), isBinary));
    socket.on('error', (error) => this.#failed(error));
    this.gone = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        stopHeartbeat();
        clearTimeout(this.#patience);
        resolve();
        void this.#gone(code, reason.toString());
      });
    });
  }

  /** False from the moment that either side began to close. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Bytes that were handed over and have not left this process. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** `onWritten` when they have left this process; never when they may not have. */
  sendLines(lines: readonly OutgoingLine[], onWritten?: () => void): void {
    this.#socket.send(joinLines(lines), { binary: false }, (error) => {
      // Node reports a write that was cut off by the end of its socket as done.
      if (!error && this.isOpen) onWritten?.();
    });
  }

  sendLinkFrame(frame: LinkFrame): void {
    this.#socket.send(encodeLinkFrame(frame), { binary: true });
  }

  /** There is room for lines again. */
  resume(): void {
    this.#reader.resume();
  }

  /** All that was handed on was dealt with. */
  noteDealtWith(): void {
    this.#reading?.release();
  }

  /** Settles when all lines that have arrived were handed on, also without room, or are wanted no more. */
  finished(): Promise<void> {
    this.#reader.finish();
    return this.#reader.idle();
  }

  /** Whether the peer is there: it answers a ping in time, or has said so much that the answer waits behind it. */
  answers(patienceMs: number): Promise<boolean> {
    const socket = this.#socket;
    if (!this.isOpen) return Promise.resolve(false);
    if (socket.isPaused) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (answer: boolean): void => {
        clearTimeout(timer);
        socket.off('pong', onPong).off('close', onClose);
        resolve(answer);
      };
      const onPong = (): void => settle(true);
      const onClose = (): void => settle(false);
      const timer = setTimeout(onClose, patienceMs);
      socket.on('pong', onPong).on('close', onClose);
      socket.ping();
    });
  }

  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
    // One that waits for memory is not given any to say goodbye.
    this.#unpause('reader');
    this.#patience ??= setTimeout(() => this.#socket.terminate(), this.#options.closeTimeoutMs).unref();
  }

  #pause(reason: 'reader' | 'budget'): void {
    this.#pauses.add(reason);
    this.#socket.pause();
  }

  #unpause(reason: 'reader' | 'budget'): void {
    this.#pauses.delete(reason);
    if (this.#pauses.size === 0) this.#socket.resume();
  }

  /** A plain peer sends nothing again; one of a lossless link sends all that was not handed on. */
  async #gone(code: number, reason: string): Promise<void> {
    if (this.#options.link === 'plain') await this.#reader.idle();
    this.#events.onGone(code, reason);
  }

  /** The close event that always follows says the rest. */
  #failed(error: Error & { code?: string }): void {
    if (error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return;
    this.#events.onViolation(new LineTooLongError(this.#options.maxLineBytes));
  }

  #refuse(error: LineTooLongError | LinkProtocolError): void {
    const isTooLong = error instanceof LineTooLongError;
    this.close(isTooLong ? CLOSE_CODE.tooBig : CLOSE_CODE.protocolError, error.code);
    this.#events.onViolation(error);
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
}
