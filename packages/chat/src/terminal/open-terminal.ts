import type { Key } from './key-decoder.ts';
import { Keyboard } from './keyboard.ts';
import { Painter } from './painter.ts';
import { requireTerminal } from './require-terminal.ts';
import type { Picture } from './screen.ts';

/** After this long a process that was to be stopped goes on. */
const NOT_STOPPED_MS = 500;

/** The streams of a terminal; the process's own unless given. */
export interface TerminalStreams {
  stdin?: NodeJS.ReadStream;
  stdout?: NodeJS.WriteStream;
}

/** Who uses a terminal: it is asked for a picture whenever something may have changed. */
export interface TerminalUser {
  picture(columns: number, rows: number): Picture;
  /** The picture that stays. */
  lastPicture(columns: number): Picture;
  onKey(key: Key): void;
  /** The terminal went away. */
  onEnd(): void;
}

/** A terminal in use. */
export class Terminal {
  readonly #painter: Painter;
  readonly #keyboard: Keyboard;
  #user: TerminalUser | undefined;
  #state: 'in use' | 'aside' | 'closing' = 'in use';

  constructor(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.#painter = new Painter(stdout, (columns, rows) => this.#picture(columns, rows));
    this.#keyboard = new Keyboard(stdin, stdout);
  }

  use(user: TerminalUser): void {
    this.#user = user;
    this.#keyboard.open(
      (key) => (key.chord === 'ctrl+z' ? this.#putAside(user) : user.onKey(key)),
      () => user.onEnd(),
    );
    this.redraw();
  }

  readonly redraw = (): void => {
    if (this.#user && this.#state === 'in use') this.#painter.redraw();
  };

  /** As Ctrl-Z does everywhere: the shell has the terminal until it brings this process back. */
  #putAside(user: TerminalUser): void {
    this.#state = 'aside';
    this.#painter.pause();
    this.#keyboard.close();
    const comeBack = (): void => {
      clearTimeout(notStopped);
      process.off('SIGCONT', comeBack);
      if (this.#state !== 'aside') return;
      this.#state = 'in use';
      this.use(user);
    };
    process.once('SIGCONT', comeBack);
    // Without a shell that could bring it back, the system does not stop a process.
    const notStopped = setTimeout(comeBack, NOT_STOPPED_MS);
    // All of the group: whatever started this process waits for the terminal as well.
    process.kill(0, 'SIGTSTP');
  }

  /** Leave the last picture on the screen, and the terminal as it was. */
  close(): void {
    this.#state = 'closing';
    this.#keyboard.close();
    this.#painter.close();
    this.#user = undefined;
  }

  #picture(columns: number, rows: number): Picture {
    const user = this.#user;
    if (!user) return { done: [], live: [] };
    return this.#state === 'closing' ? user.lastPicture(columns) : user.picture(columns, rows);
  }
}

/** Take a terminal into use. Raises `TERMINAL_NEEDED` when there is none. */
export function openTerminal({ stdin = process.stdin, stdout = process.stdout }: TerminalStreams): Terminal {
  requireTerminal(stdin, stdout);
  return new Terminal(stdin, stdout);
}
