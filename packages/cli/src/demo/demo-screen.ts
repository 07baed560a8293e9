import { basename } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { AgentMessage } from '@signalbox/protocol';

const RESULT_LINES = 6;
const FALLBACK_COLUMNS = 100;

type Paint = (text: string) => string;

/** Shows a session in a terminal: what the model writes as it writes it, each tool as a card, questions as a prompt. */
export class DemoScreen {
  readonly #out: NodeJS.WriteStream;
  readonly #input: NodeJS.ReadStream;
  readonly #isAnswered: boolean;
  readonly #dim: Paint;
  readonly #bold: Paint;
  readonly #green: Paint;
  readonly #red: Paint;
  readonly #yellow: Paint;
  #readline: Interface | undefined;
  #word = '';
  #column = 0;

  constructor(out: NodeJS.WriteStream, input: NodeJS.ReadStream, answersYes: boolean) {
    this.#out = out;
    this.#input = input;
    // Nobody can answer where there is no terminal.
    this.#isAnswered = answersYes || !input.isTTY || !out.isTTY;
    const paint = (code: number): Paint =>
      out.isTTY && !process.env.NO_COLOR ? (text) => `\x1b[${code}m${text}\x1b[0m` : (text) => text;
    this.#bold = paint(1);
    this.#dim = paint(2);
    this.#red = paint(31);
    this.#green = paint(32);
    this.#yellow = paint(33);
  }

  opening(prompt: string): void {
    this.#line(
      `${this.#bold('signalbox demo')}  ${this.#dim('a real agent on a scripted model: no key, no network')}`,
    );
    this.#line('');
    this.#line(`${this.#green('❯')} ${this.#bold(prompt)}`);
    this.#line('');
  }

  closing(endedWell: boolean): void {
    this.#line('');
    this.#line(
      endedWell
        ? `${this.#green('✓')} That was signalbox-agent, driven over NDJSON like any host drives claude -p.`
        : `${this.#red('✗')} The session did not end well.`,
    );
    if (endedWell)
      this.#line(this.#dim('  Next: dist/signalbox-agent.js --help, or dist/signalbox.js model --list'));
  }

  /** Whether the tool that was just shown may be used. */
  async mayUse(signal: AbortSignal): Promise<boolean> {
    if (this.#isAnswered) {
      this.#line(this.#yellow('  ? allowed without asking'));
      return true;
    }
    this.#readline ??= createInterface({ input: this.#input, output: this.#out });
    const readline = this.#readline;
    const answer = await new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve('n'), { once: true });
      readline.once('close', () => resolve('n'));
      readline.question(this.#yellow('  ? Allow this? [Y/n] '), resolve);
    });
    return !/^n/i.test(answer.trim());
  }

  close(): void {
    this.#readline?.close();
  }

  show(message: AgentMessage): void {
    if (message.type === 'stream_event') this.#showEvent(message.event);
    else if (message.type === 'assistant') {
      for (const block of message.message.content)
        if (block.type === 'tool_use') this.#showCall(block.name, block.input);
    } else if (message.type === 'user' && Array.isArray(message.message.content)) {
      for (const block of message.message.content) {
        if (block.type === 'tool_result') this.#showResult(block.content, block.is_error === true);
      }
    } else if (message.type === 'result') this.#showEnd(message);
  }

  #showEvent(event: Extract<AgentMessage, { type: 'stream_event' }>['event']): void {
    if (event.type === 'content_block_delta') {
      if (event.delta.type === 'text_delta') this.#text(event.delta.text, (text) => text);
      else if (event.delta.type === 'thinking_delta') this.#text(event.delta.thinking, this.#dim);
    } else if (event.type === 'content_block_stop' && (this.#column > 0 || this.#word)) {
      this.#text('\n\n', (text) => text);
    }
  }

  #showCall(name: string, input: Record<string, unknown>): void {
    const { command, file_path: path } = input;
    const what = typeof command === 'string' ? command : typeof path === 'string' ? basename(path) : '';
    this.#line(`${this.#green('●')} ${this.#bold(name)} ${this.#dim(what)}`);
  }

  #showResult(content: unknown, isError: boolean): void {
    const lines = (typeof content === 'string' ? content : JSON.stringify(content)).trimEnd().split('\n');
    const paint = isError ? this.#red : this.#dim;
    for (const line of lines.slice(0, RESULT_LINES)) this.#line(paint(`  │ ${line.replace('\t', '  ')}`));
    if (lines.length > RESULT_LINES) this.#line(paint(`  │ … and ${lines.length - RESULT_LINES} more`));
    this.#line('');
  }

  #showEnd({ num_turns: turns, total_cost_usd: cost }: Extract<AgentMessage, { type: 'result' }>): void {
    const price = typeof cost === 'number' ? ` · $${cost.toFixed(4)} if the model were real` : '';
    this.#line(this.#dim(`${Number(turns)} replies${price}`));
  }

  /** Words arrive in pieces: one is written when it is whole, on a line that has room for it. */
  #text(text: string, paint: Paint): void {
    for (const part of text.split(/(\s)/)) {
      if (!/\s/.test(part)) {
        this.#word += part;
        continue;
      }
      if (this.#column > 0 && this.#column + this.#word.length >= (this.#out.columns ?? FALLBACK_COLUMNS))
        this.#line('');
      this.#out.write(paint(this.#word) + part);
      this.#column = part === '\n' ? 0 : this.#column + this.#word.length + 1;
      this.#word = '';
    }
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
    this.#column = 0;
  }
}
