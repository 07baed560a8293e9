import type { TerminalSize } from '@signalbox/protocol/hub';
import { SequenceScanner } from '@signalbox/protocol/terminal';
import serializing from '@xterm/addon-serialize/lib/addon-serialize.js';
import headless from '@xterm/headless';
import { ScreenModes } from './screen-modes.ts';

/** A screen that is longer than this, with what has left it, is given out alone. */
const SCREEN_LENGTH = 4 * 1024 * 1024;

const ALTERNATE_SCREEN = '\x1b[?1049h\x1b[H';

/** A screen as it is after so many bytes. */
export interface ScreenSnapshot extends TerminalSize {
  /** Where the bytes begin that the screen does not show, or not yet whole. */
  offset: number;
  /** What draws it on an empty terminal of this size. */
  data: string;
  /** How often its size had changed by then. */
  resizes: number;
}

/** What a {@link Screen} tells. */
export interface ScreenOptions extends TerminalSize {
  scrollback: number;
  /** Answers to what the program asks its terminal. */
  onReply: (text: string) => void;
  onBell: () => void;
}

/** The terminal that the shell believes to write to: it answers the shell, and can be drawn again at any time. */
export class Screen {
  readonly #terminal: headless.Terminal;
  readonly #serialize = new serializing.SerializeAddon();
  readonly #modes: ScreenModes;
  readonly #scanner = new SequenceScanner();
  #written = 0;
  #drawn = 0;
  /** Everything before this is drawn and complete: bytes of half a sequence are not on the screen. */
  #complete = 0;
  #resizes = 0;
  #resizesAsked = 0;
  /** Snapshots that are being made. */
  readonly #being = new Map<string, Promise<ScreenSnapshot>>();

  constructor({ cols, rows, scrollback, onReply, onBell }: ScreenOptions) {
    this.#terminal = new headless.Terminal({
      cols,
      rows,
      scrollback,
      allowProposedApi: true,
      // It would tell of every sequence that it cannot read.
      logLevel: 'off',
    });
    this.#terminal.loadAddon(this.#serialize);
    this.#modes = new ScreenModes(this.#terminal);
    this.#terminal.onData(onReply);
    this.#terminal.onBinary(onReply);
    this.#terminal.onBell(onBell);
  }

  /** Bytes that were written and are not drawn yet. */
  get behind(): number {
    return this.#written - this.#drawn;
  }

  /** `onDrawn` is called once they are. */
  write(bytes: Uint8Array, onDrawn: () => void): void {
    this.#written += bytes.length;
    this.#scanner.push(bytes);
    const { complete } = this.#scanner;
    const end = this.#written;
    this.#terminal.write(bytes, () => {
      this.#drawn = end;
      this.#complete = complete;
      onDrawn();
    });
  }

  /** Takes effect after all that was written before. */
  resize({ cols, rows }: TerminalSize): Promise<void> {
    this.#resizesAsked += 1;
    return this.#inTurn(() => {
      this.#terminal.resize(cols, rows);
      this.#resizes += 1;
    });
  }

  /** The screen after all that was written by now, with `scrollback` lines that have left it; made once for all who ask at the same time. */
  snapshot(scrollback: number): Promise<ScreenSnapshot> {
    const key = `${this.#written} ${this.#resizesAsked} ${scrollback}`;
    const made = this.#being.get(key) ?? this.#draw(scrollback).finally(() => this.#being.delete(key));
    this.#being.set(key, made);
    return made;
  }

  #draw(scrollback: number): Promise<ScreenSnapshot> {
    return this.#inTurn(() => {
      const { cols, rows } = this.#terminal;
      const whole = this.#drawing(scrollback);
      const isTooLong = scrollback > 0 && whole.length > SCREEN_LENGTH;
      const data = (isTooLong ? this.#drawing(0) : whole) + this.#modes.restoring();
      return { offset: this.#complete, cols, rows, data, resizes: this.#resizes };
    });
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #drawing(scrollback: number): string {
    // The serializer would draw the alternate screen in the colours that the normal one was left in.
    return this.#serialize.serialize({ scrollback }).replace(ALTERNATE_SCREEN, `\x1b[m${ALTERNATE_SCREEN}`);
  }

  #inTurn<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#terminal.write('', () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }
}
