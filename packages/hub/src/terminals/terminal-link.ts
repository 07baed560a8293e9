import { LIMITS, parseJson } from '@signalbox/protocol';
import type { WebSocket } from 'ws';
import {
  decodeFrame,
  encodeBytes,
  encodeMessage,
  OWN_CHANNEL,
  type TerminalOrder,
} from '../terminal-host/link-frame.ts';
import { TerminalInputFullError } from '../terminal-host/terminal-errors.ts';
import { TerminalLimitError } from './terminal-errors.ts';

/** One who looks at a terminal, as the terminal's process is passed on to them. */
export interface LinkedViewer {
  passBytes(bytes: Buffer): void;
  passMessage(json: Buffer): void;
  /** The terminal's process is gone, or was replaced. */
  linkLost(): void;
}

/** One viewer's way to the terminal's process. */
export interface TerminalChannel {
  /** While the process does not read, the last order of each kind waits. */
  tell(order: TerminalOrder): void;
  /** Raises `TERMINAL_INPUT_FULL` when the process does not read, and enough waits for it. */
  type(bytes: Uint8Array): void;
  close(): void;
}

/** The connection of a terminal's process: all its viewers share it. */
export class TerminalLink {
  readonly #socket: WebSocket;
  readonly #viewers = new Map<number, LinkedViewer>();
  /** What the process is told once it reads, by channel and kind. */
  readonly #waiting = new Map<string, Buffer>();
  #channels = OWN_CHANNEL;
  /** Settles when it is gone. */
  readonly closed: Promise<void>;

  /** `onExited` is called when the shell has ended. */
  constructor(socket: WebSocket, onExited: () => void) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const frame = decodeFrame(Buffer.isBuffer(data) ? data : Buffer.alloc(0));
      if (!frame) return;
      const { kind, channel, payload } = frame;
      const viewer = this.#viewers.get(channel);
      if (channel === OWN_CHANNEL && isExit(payload)) onExited();
      else if (kind === 'bytes') viewer?.passBytes(payload);
      else viewer?.passMessage(payload);
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    socket.once('close', () => {
      const viewers = [...this.#viewers.values()];
      this.#viewers.clear();
      for (const viewer of viewers) viewer.linkLost();
    });
  }

  /** Raises `TERMINAL_LIMIT`. */
  open(viewer: LinkedViewer, order: Extract<TerminalOrder, { type: 'open' }>): TerminalChannel {
    if (this.#viewers.size >= LIMITS.terminalViewers.most) throw new TerminalLimitError('viewers');
    this.#channels += 1;
    const channel = this.#channels;
    this.#viewers.set(channel, viewer);
    this.#send(encodeMessage(channel, order));
    return {
      tell: (next) => this.#tell(`${channel} ${next.type}`, encodeMessage(channel, next)),
      type: (bytes) => {
        if (this.#isFull) throw new TerminalInputFullError();
        this.#send(encodeBytes(channel, bytes));
      },
      close: () => {
        if (this.#viewers.delete(channel)) this.#send(encodeMessage(channel, { type: 'close' }));
      },
    };
  }

  /** Whether the process has so much to read that viewers must not add to it. */
  get #isFull(): boolean {
    return this.#socket.bufferedAmount > LIMITS.terminalInputBytes.most;
  }

  #tell(kind: string, frame: Buffer): void {
    if (this.#isFull) this.#waiting.set(kind, frame);
    else this.#send(frame);
  }

  #send(frame: Buffer): void {
    this.#socket.send(frame, () => {
      for (const [kind, next] of this.#waiting) {
        if (this.#isFull) return;
        this.#waiting.delete(kind);
        this.#send(next);
      }
    });
  }

  /** Ask the terminal's process to end its shell. */
  end(): void {
    this.#socket.send(encodeMessage(OWN_CHANNEL, { type: 'end' }));
  }

  close(code: number): void {
    this.#socket.close(code);
  }
}

function isExit(payload: Buffer): boolean {
  try {
    const report = parseJson(payload.toString());
    return typeof report === 'object' && report !== null && 'type' in report && report.type === 'exited';
  } catch {
    return false;
  }
}
