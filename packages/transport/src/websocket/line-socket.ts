import type { Socket } from 'node:net';
import { LIMITS, LineDecoder, LineTooLongError, type WireLine } from '@signalbox/protocol';
import type { RawData, WebSocket } from 'ws';
import { decodeLinkFrame, encodeLinkFrame, type LinkFrame, LinkProtocolError } from '../link/link-frame.ts';
import { joinLines, type OutgoingLine } from '../outgoing-line.ts';
import { startHeartbeat } from './heartbeat.ts';
import { startOfLongLine } from './long-line.ts';

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

const LINE_END = Buffer.from('\n');

/** Who is told what happens on a {@link LineSocket}. */
export interface LineSocketEvents {
  /** False asks the socket to stop reading until `resume()`. */
  onLine: (line: WireLine) => boolean;
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
}

/** One WebSocket connection that carries lines in its text frames, many to a frame. */
export class LineSocket {
  /** Settles when the connection has ended. */
  readonly gone: Promise<void>;
  readonly #socket: WebSocket;
  readonly #events: LineSocketEvents;
  readonly #options: LineSocketOptions;
  readonly #decoder: LineDecoder;
  #patience: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, events: LineSocketEvents, options: LineSocketOptions) {
    this.#socket = socket;
    this.#events = events;
    this.#options = options;
    this.#decoder = new LineDecoder({
      onLine: (line) => {
        // A connection that is closing is read to its end: the goodbye comes last.
        if (!events.onLine(line) && this.isOpen) socket.pause();
      },
      maxLineBytes: Number.POSITIVE_INFINITY,
    });
    // On a lossless link nothing may be taken for a byte order mark: a line could begin like one.
    if (options.link === 'lossless') this.#decoder.push(LINE_END);
    const stopHeartbeat = startHeartbeat(socket, options.stream, options.pingIntervalMs);
    socket.on('message', (data, isBinary) => this.#read(data, isBinary));
    socket.on('error', (error) => this.#failed(error));
    this.gone = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        stopHeartbeat();
        clearTimeout(this.#patience);
        events.onGone(code, reason.toString());
        resolve();
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

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
    this.#socket.resume();
    this.#patience ??= setTimeout(() => this.#socket.terminate(), this.#options.closeTimeoutMs).unref();
  }

  #read(data: RawData, isBinary: boolean): void {
    const bytes = Buffer.isBuffer(data)
      ? data
      : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    try {
      if (this.#options.link === 'plain') this.#readPlain(bytes);
      else if (isBinary) this.#events.onLinkFrame(decodeLinkFrame(bytes));
      else this.#readNumbered(bytes);
    } catch (error) {
      if (error instanceof LinkProtocolError) this.#refuse(CLOSE_CODE.protocolError, error);
      else if (error instanceof LineTooLongError) this.#refuse(CLOSE_CODE.tooBig, error);
      else throw error;
    }
  }

  #readPlain(bytes: Buffer): void {
    this.#decode(bytes);
    // Peers exist that send a message a frame and no line end.
    this.#decoder.end();
  }

  #readNumbered(bytes: Buffer): void {
    this.#decode(bytes);
    if (this.#decoder.carriedBytes > 0) throw new LinkProtocolError('a line without its end');
  }

  /** Nothing after a line that is too long is handed on: it would get that line's number. */
  #decode(bytes: Buffer): void {
    const { maxLineBytes } = this.#options;
    const tooLong = startOfLongLine(bytes, maxLineBytes);
    this.#decoder.push(tooLong === -1 ? bytes : bytes.subarray(0, tooLong));
    if (tooLong !== -1) throw new LineTooLongError(maxLineBytes);
  }

  /** The close event that always follows says the rest. */
  #failed(error: Error & { code?: string }): void {
    if (error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return;
    this.#events.onViolation(new LineTooLongError(this.#options.maxLineBytes));
  }

  #refuse(code: number, error: LineTooLongError | LinkProtocolError): void {
    this.close(code, error.code);
    this.#events.onViolation(error);
  }
}
