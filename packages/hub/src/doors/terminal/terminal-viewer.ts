import { LIMITS, parseJson } from '@signalbox/protocol';
import type { TerminalMessage } from '@signalbox/protocol/hub';
import type { WebSocket } from 'ws';
import { ForbiddenError } from '../../auth/auth-errors.ts';
import { LONG_ANSWER_BYTES } from '../../auth/device-quotas.ts';
import type { LinkedViewer, TerminalChannel } from '../../terminals/terminal-link.ts';
import type { Terminals } from '../../terminals/terminals.ts';
import { checked } from '../http/checked.ts';
import { problemOf } from '../http/problem.ts';
import { type CheckedTerminalMessage, terminalMessage } from './terminal-message.ts';

/** How a viewer is closed. Those below 4000 come back by themselves. */
export const TERMINAL_CLOSE = { ended: 1000, goingAway: 1001, comeBack: 1012, refused: 4000 } as const;

/** What a {@link TerminalViewer} works with. */
export interface TerminalViewerParts {
  terminals: Terminals;
  session: string;
  number: number;
  mayType: boolean;
  /** Settles when it is kept that this viewer types. */
  noteTyping: () => Promise<void>;
  /** Raises `DEVICE_LIMIT` when too much that is long was not read; what it returns says that this was. */
  takeDownload: () => () => void;
}

/** One that has more than this to read has not drawn what it says, and hears no complaints. */
const UNREAD_BYTES = 1024 * 1024;

/** One who looks at a terminal: what the terminal's process says is passed on as it is. */
export class TerminalViewer implements LinkedViewer {
  readonly #socket: WebSocket;
  readonly #parts: TerminalViewerParts;
  #channel: Promise<TerminalChannel | undefined> | undefined;
  #opened: TerminalChannel | undefined;
  /** What the process is told once it is there, and once this viewer has read. */
  #resize: Extract<CheckedTerminalMessage, { type: 'resize' }> | undefined;
  #ack: Extract<CheckedTerminalMessage, { type: 'ack' }> | undefined;
  /** What is typed is delivered once it is kept who types, in its order. */
  #typing: Promise<void> | undefined;

  constructor(socket: WebSocket, parts: TerminalViewerParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Hear what it says until it leaves. */
  serve(): void {
    const socket = this.#socket;
    socket.on('message', (data, isBinary) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
      if (isBinary) this.#type(bytes);
      else this.#hear(bytes.toString());
    });
    // The close event that always follows says the rest.
    socket.on('error', () => {});
    socket.once('close', () => void this.#channel?.then((channel) => channel?.close()));
  }

  passBytes(bytes: Buffer): void {
    this.#pass(bytes, true);
  }

  passMessage(json: Buffer): void {
    if (json.length > LONG_ANSWER_BYTES) this.#passLong(json, Buffer.alloc(0));
    else this.#pass(json, false);
  }

  linkLost(): void {
    this.#socket.close(TERMINAL_CLOSE.comeBack, 'the terminal is gone, or comes back');
  }

  #pass(payload: Buffer, binary: boolean): void {
    // One who says that it has drawn what it has not read.
    if (this.#socket.bufferedAmount > LIMITS.terminalUnreadBytes.most) return this.#socket.terminate();
    this.#socket.send(payload, { binary }, () => this.#tellAck());
  }

  /** A screen with much on it: of those a device that does not read them gets few. False when it was one too many. */
  #passLong(screen: Buffer, bytes: Buffer): boolean {
    try {
      const isLong = screen.length + bytes.length > LONG_ANSWER_BYTES;
      const giveBack = isLong ? this.#parts.takeDownload() : () => {};
      this.#socket.once('close', giveBack);
      this.#socket.send(screen, { binary: false });
      // Also when there are none: it is told when all has left.
      this.#socket.send(bytes, { binary: true }, giveBack);
      return true;
    } catch (error) {
      this.#refuse(error);
      return false;
    }
  }

  #hear(text: string): void {
    try {
      const message = checked('the message', terminalMessage, parseJson(text));
      if (message.type === 'attach')
        this.#channel ??= this.#attach(message).catch((error) => this.#refuse(error));
      else if (message.type === 'resize') this.#tellSize(message);
      else {
        this.#ack = message;
        this.#tellAck();
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  /** The size of one who may not type is nothing to the terminal. */
  #tellSize(resize: Extract<CheckedTerminalMessage, { type: 'resize' }>): void {
    if (!this.#parts.mayType) return;
    if (this.#opened) this.#opened.tell(resize);
    else this.#resize = resize;
  }

  /** Whatever it says, it has not drawn what it has not read. */
  #tellAck(): void {
    if (!this.#ack || !this.#opened || this.#socket.bufferedAmount > UNREAD_BYTES) return;
    this.#opened.tell(this.#ack);
    this.#ack = undefined;
  }

  #type(bytes: Buffer): void {
    if (!this.#parts.mayType) return this.#complain(new ForbiddenError('admin'));
    this.#typing ??= this.#parts.noteTyping();
    this.#typing = this.#typing.then(async () => {
      const channel = await this.#channel;
      try {
        channel?.type(bytes);
      } catch (error) {
        // What is typed next may be taken again.
        this.#complain(error);
      }
    });
    this.#typing.catch((error: unknown) => this.#complain(error));
  }

  async #attach(
    request: Extract<CheckedTerminalMessage, { type: 'attach' }>,
  ): Promise<TerminalChannel | undefined> {
    const { terminals, session, number, mayType } = this.#parts;
    const link = await terminals.link(session, number);
    if (!link) {
      this.#showLeft();
      return undefined;
    }
    const opened = link.open(this, { ...request, type: 'open', mayType });
    this.#opened = opened;
    if (this.#resize) opened.tell(this.#resize);
    return opened;
  }

  /** The last screen of a terminal that has ended. */
  #showLeft(): void {
    const { terminals, session, number } = this.#parts;
    const left = terminals.left(session, number);
    if (left) {
      const { screen, bytes, epoch } = left;
      const { offset, cols, rows, data } = screen;
      const shown: TerminalMessage = { type: 'screen', epoch, offset, cols, rows, data, mayType: false };
      if (!this.#passLong(Buffer.from(JSON.stringify(shown)), bytes)) return;
    }
    this.#say({ type: 'exit', exit: terminals.get(session, number).exit });
    this.#socket.close(TERMINAL_CLOSE.ended);
  }

  #refuse(error: unknown): undefined {
    this.#complain(error);
    const isForNow = [429, 503].includes(problemOf(error).status);
    this.#socket.close(isForNow ? TERMINAL_CLOSE.comeBack : TERMINAL_CLOSE.refused);
  }

  #complain(error: unknown): void {
    if (this.#socket.bufferedAmount > UNREAD_BYTES) return;
    const { code, detail: message } = problemOf(error);
    this.#say({ type: 'error', code, message });
  }

  #say(message: TerminalMessage): void {
    this.#socket.send(JSON.stringify(message));
  }
}
