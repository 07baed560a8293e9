import type { SDKMessage } from '../types/messages.ts';
import { firstLine, painter, takesColour } from './terminal-text.ts';
import { summarizeToolUse } from './tool-summary.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const FALLBACK_COLUMNS = 80;
const CLEAR = '\r\x1b[2K';

/** A terminal to draw on. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** One line at the bottom of a terminal that says what an agent is doing. Where there is no terminal it is silent. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  #doing = 'starting';
  #toolCalls = 0;
  #frame = 0;
  #startedAt = Date.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
  }

  /** Take note of a message, and draw. The end of a turn takes the line away. */
  update(message: SDKMessage): void {
    if (message.type === 'result') return this.clear();
    if (message.type === 'assistant') this.#reply(message.message.content);
    else if (message.type === 'user') this.#doing = 'thinking';
    if (!this.#stream.isTTY) return;
    if (!this.#timer) this.#startedAt = Date.now();
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  /** Take the line away, for example before something else is written. */
  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stream.write(CLEAR);
  }

  #reply(content: Extract<SDKMessage, { type: 'assistant' }>['message']['content']): void {
    for (const block of content) {
      if (block.type === 'tool_use') {
        this.#toolCalls += 1;
        this.#doing = summarizeToolUse(block);
      } else this.#doing = block.type === 'text' ? 'writing' : 'thinking';
    }
  }

  #draw(): void {
    const paint = painter(takesColour(this.#stream));
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    const facts = `${seconds} s · ${this.#toolCalls} tool calls`;
    // A line that fills the terminal would wrap, and could not be taken away.
    const width = (this.#stream.columns ?? FALLBACK_COLUMNS) - facts.length - 6;
    const doing = firstLine(this.#doing, width);
    this.#stream.write(`${CLEAR}${paint('cyan', FRAMES[this.#frame] ?? '')} ${doing} ${paint('dim', facts)}`);
  }
}

/** The messages as they are, with a progress line while they come. */
export async function* withProgress(
  messages: AsyncIterable<SDKMessage>,
  stream?: ProgressStream,
): AsyncGenerator<SDKMessage, void> {
  const line = new ProgressLine(stream);
  try {
    for await (const message of messages) {
      line.clear();
      yield message;
      line.update(message);
    }
  } finally {
    line.clear();
  }
}
