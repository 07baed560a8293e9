import type { Key } from './key-decoder.ts';
import type { Keyboard } from './keyboard.ts';
import { requireTerminal } from './require-terminal.ts';
import type { Picture, Screen } from './screen.ts';

/** The streams of a terminal; the process's own unless given. */
export interface TerminalStreams {
  stdin?: NodeJS.ReadStream;
  stdout?: NodeJS.WriteStream;
}

/** Who uses a terminal: it is asked for a picture whenever something may have changed. */
export interface TerminalUser {
  picture(columns: number, rows: number): Picture;
  onKey(key: Key): void;
  /** The terminal went away. */
  onEnd(): void;
}

/** How soon a change is drawn: many changes in this time are one picture. */
const FRAME_MS = 16;

/** A terminal in use. */
export class Terminal {
  readonly #screen: Screen;
  readonly #keyboard: Keyboard;
  readonly #stdout: NodeJS.WriteStream;
  #user: TerminalUser | undefined;
  #frame: NodeJS.Timeout | undefined;

  constructor(screen: Screen, keyboard: Keyboard, stdout: NodeJS.WriteStream) {
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#stdout = stdout;
  }

  use(user: TerminalUser): void {
    this.#user = user;
    this.#keyboard.open(
      (key) => user.onKey(key),
      () => user.onEnd(),
    );
    this.#stdout.on('resize', this.redraw);
    this.redraw();
  }

  readonly redraw = (): void => {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined;
      // What is drawn for a size that is no more cannot be taken back: Node learns it by asking, before the signal comes.
      process.emit('SIGWINCH', 'SIGWINCH');
      const picture = this.#user?.picture(this.#screen.columns, this.#screen.liveRows);
      if (picture) this.#screen.show(picture);
    }, FRAME_MS);
  };

  /** Leave the last picture on the screen, and the terminal as it was. */
  close(last: (columns: number) => Picture): void {
    clearTimeout(this.#frame);
    this.#user = undefined;
    this.#stdout.off('resize', this.redraw);
    this.#keyboard.close();
    this.#screen.show(last(this.#screen.columns));
    this.#screen.close();
  }
}

/** Take a terminal into use. Rejects with `TERMINAL_NEEDED` when there is none; loads what draws on it otherwise. */
export async function openTerminal({
  stdin = process.stdin,
  stdout = process.stdout,
}: TerminalStreams): Promise<Terminal> {
  requireTerminal(stdin, stdout);
  const [{ Screen: ScreenOf }, { Keyboard: KeyboardOf }] = await Promise.all([
    import('./screen.ts'),
    import('./keyboard.ts'),
  ]);
  return new Terminal(new ScreenOf(stdout), new KeyboardOf(stdin, stdout), stdout);
}
