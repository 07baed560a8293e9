import type { TerminalSize } from 'signalbox/hub';

/** What the modes of any program leave behind: alternate screen, margins, mouse, paste, cursor, colours. */
const AS_IT_WAS = [
  '\x1b[?1049l',
  '\x1b[!p',
  '\x1b[r',
  ...[9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004].map((mode) => `\x1b[?${mode}l`),
  '\x1b[?7h\x1b[?25h\x1b[0 q\x1b(B\x1b>\x1b[0m',
].join('');

const KEEP_TITLE = '\x1b[22;2t';
const OLD_TITLE = '\x1b[23;2t';

/** How large a terminal is. */
export function sizeOf({ columns = 80, rows = 24 }: { columns?: number; rows?: number }): TerminalSize {
  return { cols: Math.max(2, columns), rows: Math.max(1, rows) };
}

/** The terminal that a person sits at, while another one is shown in it. */
export class OwnTerminal {
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #stops: (() => void)[] = [];
  #title: string | undefined;

  /** Keys come one by one from now on, and as they are. */
  constructor(
    { onKeys, onResize }: { onKeys: (bytes: Buffer) => void; onResize: (size: TerminalSize) => void },
    { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream } = process,
  ) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    const hearSize = (): void => onResize(sizeOf(stdout));
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', onKeys);
    stdout.on('resize', hearSize);
    this.#stops.push(
      () => stdin.off('data', onKeys),
      () => stdout.off('resize', hearSize),
    );
  }

  /** An empty screen, and this on it. */
  draw(data: string): Promise<void> {
    return this.write(Buffer.from(`${AS_IT_WAS}\x1b[2J\x1b[H${data}`));
  }

  /** Settles when it is drawn, as far as anybody can tell. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#stdout.write(bytes, () => resolve());
    });
  }

  /** A key that went nowhere. */
  ring(): void {
    void this.write(Buffer.from('\x07'));
  }

  /** Say something in the title of the window, where it is in nobody's way; with nothing to say, the title of before comes back. */
  title(words: string | undefined): void {
    if ((words === undefined) === (this.#title === undefined)) return;
    this.#title = words;
    void this.write(Buffer.from(words === undefined ? OLD_TITLE : `${KEEP_TITLE}\x1b]2;${words}\x07`));
  }

  /** Give the terminal back as it was, below what is on it. */
  async restore(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.title(undefined);
    const { rows } = this.#stdout;
    await this.write(Buffer.from(`${AS_IT_WAS}\x1b[${rows};1H\r\n`));
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }
}
