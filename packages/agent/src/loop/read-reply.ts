import type Anthropic from '@anthropic-ai/sdk';
import { JsonTooDeepError, LIMITS, parseJson, valueDepth } from '@signalbox/protocol';
import { ModelError } from '../model/model-client.ts';
import { tooLong } from '../model/model-error.ts';
import { type TokenCount, tokensOf } from './token-count.ts';

type StreamEvent = Anthropic.Beta.BetaRawMessageStreamEvent;
type Block = Anthropic.Beta.BetaContentBlock;

/** A reply of the model, as far as it has come. */
export interface Reply {
  id: string;
  /** What the API calls the request, where it says. */
  requestId?: string;
  model: string;
  content: Block[];
  stopReason: string | null;
  usage: TokenCount;
}

/** Who follows a reply while it is being written. */
export interface ReplyListener {
  onEvent(event: StreamEvent, reply: Reply): Promise<void>;
  /** A content block is complete. */
  onBlock(block: Block, reply: Reply): Promise<void>;
}

/** Puts a reply together from its events. */
export class ReplyReader {
  readonly reply: Reply = { id: '', model: '', content: [], stopReason: null, usage: tokensOf({}) };
  readonly #listener: ReplyListener;
  readonly #inputs = new Map<number, string>();
  #complete = 0;
  #length = 0;

  constructor(listener: ReplyListener) {
    this.#listener = listener;
  }

  /** Read to the end. Throws {@link ModelError} when the stream ends before the reply does. */
  async read(events: AsyncIterable<StreamEvent>): Promise<Reply> {
    let isWhole = false;
    for await (const event of events) {
      await this.#take(event);
      isWhole ||= event.type === 'message_stop';
    }
    if (!isWhole) throw broken('The API closed the connection in the middle of a reply.');
    return this.reply;
  }

  /** The text of the block that was being written when the reading stopped. */
  get unfinishedText(): string {
    const block = this.reply.content[this.#complete];
    return block?.type === 'text' ? block.text : '';
  }

  async #take(event: StreamEvent): Promise<void> {
    if (valueDepth(event) > LIMITS.lineDepth.most)
      throw broken(`A part of the reply cannot be read: ${new JsonTooDeepError().message}`);
    switch (event.type) {
      case 'message_start':
        this.reply.id = event.message.id;
        // A gateway may leave it out; what was used is counted all the same.
        this.reply.model = event.message.model ?? 'unknown';
        this.reply.usage = tokensOf(event.message.usage);
        break;
      case 'content_block_start':
        this.#begin(event.index, event.content_block);
        break;
      case 'content_block_delta':
        this.#append(event.index, event.delta);
        break;
      case 'content_block_stop':
        // Hosts get the whole block before the event that closes it.
        await this.#finish(event.index);
        break;
      case 'message_delta':
        this.reply.stopReason = event.delta.stop_reason;
        this.reply.usage = withFinal(this.reply.usage, event.usage);
        break;
      default:
        break;
    }
    await this.#listener.onEvent(event, this.reply);
  }

  /** Blocks come one after the other: a number far ahead would make a list of as many. */
  #begin(index: number, block: Block): void {
    const { content } = this.reply;
    if (!Number.isInteger(index) || index < 0 || index > content.length)
      throw broken(`The API sent a content block out of its order: ${String(index)}.`);
    this.#grow(JSON.stringify(block).length);
    content[index] = block;
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > LIMITS.replyLength.most) throw tooLong(LIMITS.replyLength);
  }

  #append(index: number, delta: Anthropic.Beta.BetaRawContentBlockDelta): void {
    const block = this.reply.content[index];
    if (!block) throw broken('The API sent a part of a content block before its start.');
    this.#grow(JSON.stringify(delta).length);
    if (delta.type === 'input_json_delta') {
      this.#inputs.set(index, (this.#inputs.get(index) ?? '') + delta.partial_json);
    } else if (delta.type === 'text_delta' && block.type === 'text') block.text += delta.text;
    else if (delta.type === 'thinking_delta' && block.type === 'thinking') block.thinking += delta.thinking;
    else if (delta.type === 'signature_delta' && block.type === 'thinking') block.signature = delta.signature;
  }

  async #finish(index: number): Promise<void> {
    const block = this.reply.content[index];
    if (!block) throw broken('The API ended a content block that it did not start.');
    const json = this.#inputs.get(index);
    if ((block.type === 'tool_use' || block.type === 'server_tool_use') && json)
      block.input = { ...Object(parseInput(json)) };
    this.#complete = index + 1;
    await this.#listener.onBlock(block, this.reply);
  }
}

/** What only the end of a reply says: how much it was, and how that was made up. */
function withFinal(usage: TokenCount, said: unknown): TokenCount {
  const final = tokensOf(said);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return { ...usage, ...final, input_tokens, cache_creation_input_tokens, cache_read_input_tokens };
}

function parseInput(json: string): unknown {
  try {
    return parseJson(json, LIMITS.contentDepth);
  } catch (error) {
    if (error instanceof JsonTooDeepError)
      throw broken(`A tool input cannot be read: ${error.message}`, error);
    throw broken(`The API sent a tool input that is not JSON: ${json.slice(0, 100)}`, error);
  }
}

function broken(message: string, cause?: unknown): ModelError {
  return new ModelError(`API Error: ${message}`, 'unknown', { cause });
}
