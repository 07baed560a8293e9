import { type AgentMessage, isJsonObject, parseAgentMessage } from '@signalbox/protocol';
import { formatMessage, type SDKMessage } from 'signalbox';
import { harmless } from '../harmless-text.ts';

type StreamEvent = Extract<AgentMessage, { type: 'stream_event' }>;

/** Shows a turn as it goes on: text while it is written, tool calls and their results as short lines. */
export class TurnScreen {
  readonly #out: NodeJS.WritableStream;
  /** How a turn ended is for people: what reads a pipe wants the answer alone. */
  readonly #ending: NodeJS.WritableStream;
  readonly #isTerminal: boolean;
  readonly #isColoured: boolean;
  /** What was written of the text whose whole has not come yet. */
  #written = '';
  /** Texts that ended before the messages that carry them whole. */
  readonly #ended: string[] = [];
  #line: 'open' | 'ended' = 'ended';

  constructor(out: NodeJS.WritableStream & { isTTY?: boolean }, notes: NodeJS.WritableStream) {
    this.#out = out;
    this.#isTerminal = out.isTTY === true;
    this.#ending = this.#isTerminal ? out : notes;
    this.#isColoured = this.#isTerminal && !process.env.NO_COLOR;
  }

  /** A part of a reply that is being written. What is no terminal gets whole texts only. */
  preview(message: unknown): void {
    if (!this.#isTerminal || !isJsonObject(message) || message.type !== 'stream_event') return;
    const parsed = parseAgentMessage(message);
    if (parsed.type === 'stream_event' && !parsed.parent_tool_use_id) this.#event(parsed.event);
  }

  show(message: SDKMessage): void {
    if (message.type === 'assistant' && !message.parent_tool_use_id) {
      for (const block of message.message.content) {
        if (block.type === 'text') this.#text(block.text);
        else this.#lines({ ...message, message: { ...message.message, content: [block] } });
      }
    } else if (message.type !== 'system') this.#lines(message);
  }

  /** A line beside the conversation. */
  note(text: string): void {
    this.#endLine();
    this.#out.write(this.#isColoured ? `\x1b[2m${text}\x1b[0m\n` : `${text}\n`);
  }

  #event(event: StreamEvent['event']): void {
    if (event.type === 'content_block_start') this.#endText();
    else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
      this.#write(event.delta.text);
  }

  /** A text is complete: it was written while we watched, or is new as a whole. */
  #text(text: string): void {
    const ended = this.#ended.indexOf(text);
    if (ended >= 0) {
      this.#ended.splice(ended, 1);
      return;
    }
    if (!text.startsWith(this.#written)) this.#endText();
    this.#write(text.slice(this.#written.length));
    this.#endLine();
    this.#written = '';
  }

  #lines(message: SDKMessage): void {
    const text = formatMessage(message, { colour: this.#isColoured });
    if (text === '') return;
    this.#endLine();
    (message.type === 'result' ? this.#ending : this.#out).write(`${text}\n`);
  }

  #write(text: string): void {
    if (text === '') return;
    this.#written += text;
    this.#line = text.endsWith('\n') ? 'ended' : 'open';
    this.#out.write(harmless(text));
  }

  /** The next text begins before the message came that carries this one. */
  #endText(): void {
    if (this.#written !== '') this.#ended.push(this.#written);
    this.#endLine();
    this.#written = '';
  }

  #endLine(): void {
    if (this.#line === 'open') this.#out.write('\n');
    this.#line = 'ended';
  }
}
