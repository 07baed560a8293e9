import { parseJson } from '@signalbox/protocol';
import { KeptOutput } from '../process/kept-output.ts';
import { HookFailure } from './hook-failure.ts';
import { type AsyncOutput, isAsyncOutput, outputOf } from './read-answer.ts';

/** A hook that prints more gives no answer: half of a decision is none. */
export const MAX_HOOK_ANSWER_CHARS = 1_000_000;

/** What a host is shown of each stream: half of it from the start, half from the end. */
export const MAX_SHOWN_CHARS = 30_000;

/** What a command has printed so far, in memory that does not grow with it. */
export class HeardOutput {
  /** Settles when the first line says that the hook goes on by itself; of other hooks, never. */
  readonly announcedAsync: Promise<AsyncOutput>;
  readonly #shown = {
    output: new KeptOutput(MAX_SHOWN_CHARS),
    stdout: new KeptOutput(MAX_SHOWN_CHARS),
    stderr: new KeptOutput(MAX_SHOWN_CHARS),
  };
  #answer = '';
  #answerState: 'first line' | 'further lines' | 'too long' = 'first line';
  #announce: (notice: AsyncOutput) => void = () => {};
  #heardChars = 0;

  constructor() {
    this.announcedAsync = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  addStdout(text: string): void {
    this.#add('stdout', text);
    if (this.#answerState === 'too long') return;
    this.#answer += text;
    if (this.#answerState === 'first line') this.#readFirstLine();
    if (this.#answer.length > MAX_HOOK_ANSWER_CHARS) {
      this.#answerState = 'too long';
      this.#answer = '';
    }
  }

  addStderr(text: string): void {
    this.#add('stderr', text);
  }

  /** How much was printed, to tell whether there is news. */
  get heardChars(): number {
    return this.#heardChars;
  }

  /** What was printed, without the line that announced more to come. Throws {@link HookFailure} when it was too much. */
  answer(): string {
    if (this.#answerState !== 'too long') return this.#answer;
    throw new HookFailure(
      `it printed more than ${MAX_HOOK_ANSWER_CHARS} characters, and its answer is ignored; print less`,
    );
  }

  shown(): { output: string; stdout: string; stderr: string } {
    const { output, stdout, stderr } = this.#shown;
    return { output: output.text(), stdout: stdout.text(), stderr: stderr.text() };
  }

  #add(stream: 'stdout' | 'stderr', text: string): void {
    this.#heardChars += text.length;
    this.#shown[stream].add(text);
    this.#shown.output.add(text);
  }

  #readFirstLine(): void {
    const end = this.#answer.indexOf('\n');
    if (end < 0) return;
    this.#answerState = 'further lines';
    const notice = asyncNotice(this.#answer.slice(0, end));
    if (!notice) return;
    this.#answer = this.#answer.slice(end + 1);
    this.#announce(notice);
  }
}

function asyncNotice(line: string): AsyncOutput | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const output = outputOf(parseJson(line));
    return isAsyncOutput(output) ? output : undefined;
  } catch {
    // Not a notice: it is judged with all the rest when the hook has ended.
    return undefined;
  }
}
