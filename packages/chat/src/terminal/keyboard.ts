import { type Key, KeyDecoder } from './key-decoder.ts';

/** How long an escape waits for the rest of a sequence before it counts as the key. */
const ESCAPE_WAIT_MS = 40;

const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** The keys of a terminal, from `open` until `close`, which leaves the terminal as it was. */
export class Keyboard {
  readonly #stdin: NodeJS.ReadStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #decoder = new KeyDecoder();
  #state: 'closed' | 'open' = 'closed';
  #timer: NodeJS.Timeout | undefined;
  #onKey: (key: Key) => void = () => {};
  #onEnd: () => void = () => {};

  constructor(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  /** `onEnd` is called when the terminal goes away. */
  open(onKey: (key: Key) => void, onEnd: () => void): void {
    if (this.#state === 'open') return;
    this.#state = 'open';
    this.#onKey = onKey;
    this.#onEnd = onEnd;
    this.#stdin.setRawMode(true);
    this.#stdin.setEncoding('utf8');
    this.#stdin.on('data', this.#read);
    this.#stdin.once('end', this.#onEnd);
    // A terminal that was closed fails in every way: whoever uses it only has to know that it is gone.
    this.#stdin.on('error', this.#onEnd);
    this.#stdout.on('error', this.#onEnd);
    this.#stdin.resume();
    this.#stdout.write(PASTE_ON);
    // A terminal that is left in raw mode is of no use to the shell that gets it back.
    process.once('exit', this.#restore);
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#restore();
    process.off('exit', this.#restore);
    this.#stdin.off('data', this.#read);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.pause();
    clearTimeout(this.#timer);
  }

  readonly #read = (chunk: string): void => {
    clearTimeout(this.#timer);
    this.#emit(this.#decoder.push(chunk));
    if (!this.#decoder.isWaiting) return;
    this.#timer = setTimeout(() => this.#emit(this.#decoder.flush()), ESCAPE_WAIT_MS);
  };

  #emit(keys: readonly Key[]): void {
    for (const key of keys) if (this.#state === 'open') this.#onKey(key);
  }

  readonly #restore = (): void => {
    this.#state = 'closed';
    this.#stdout.write(PASTE_OFF);
    this.#stdin.setRawMode(false);
  };
}
