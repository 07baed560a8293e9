import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Command {
  resolve: (output: string) => void;
  reject: (error: Error) => void;
}

/**
 * A tmux server that takes its commands from one process, which stays: to start one for each look at a screen costs more than the program
 * that is looked at. It is attached to a session of its own, and so to no terminal of a test: that one has nobody who looks.
 */
export class TmuxControl {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  /** Answered in their order. */
  readonly #waiting: Command[] = [];
  #rest = '';
  /** The lines of the answer that is being read, and how it began. */
  #answer: { lines: string[]; number: string } | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    child.stdin?.on('error', () => {});
    this.#closed = once(child, 'close').then(() => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('tmux has ended'));
    });
  }

  static async start(socket: string): Promise<TmuxControl> {
    const session = ['new-session', '-x', '20', '-y', '5', 'exec sleep 100000'];
    const child = spawn('tmux', ['-u', '-C', '-S', socket, '-f', '/dev/null', ...session], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const control = new TmuxControl(child);
    // What it was started with is answered like a command.
    await control.#next();
    return control;
  }

  /** Carry out a command and give what it prints. */
  async run(...words: string[]): Promise<string> {
    const answer = this.#next();
    this.#child.stdin?.write(`${words.map(quoted).join(' ')}\n`);
    return answer;
  }

  /** End the server with everything in it. */
  async close(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.stdin?.write('kill-server\n');
    await this.#closed;
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode === null) this.#waiting.push({ resolve, reject });
      else reject(new Error('tmux has ended'));
    });
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#hear(line);
  }

  #hear(line: string): void {
    const [, kind, number] = /^%(begin|end|error) (\d+ \d+) \d+$/.exec(line) ?? [];
    if (this.#answer === undefined) {
      if (kind === 'begin') this.#answer = { lines: [], number: number ?? '' };
      // All else is about the session that it is attached to.
      return;
    }
    const { lines, number: begun } = this.#answer;
    if (number !== begun || kind === 'begin') return void lines.push(line);
    this.#answer = undefined;
    const output = lines.map((one) => `${one}\n`).join('');
    const command = this.#waiting.shift();
    if (kind === 'end') command?.resolve(output);
    else command?.reject(new Error(`tmux: ${output}`));
  }
}

/** As tmux reads words: nothing in it is a variable, and a line is one command. */
function quoted(word: string): string {
  const inside = word
    .replaceAll(/["$\\]/g, '\\$&')
    // oxlint-disable-next-line no-control-regex -- it is what is looked for
    .replaceAll(/[\u0000-\u001f\u007f]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${inside}"`;
}
