import type Anthropic from '@anthropic-ai/sdk';
import type { ApiStreamEvent, ContentBlock } from '@signalbox/protocol';
import type { ModelError } from '../model/model-client.ts';
import type { Retry } from '../model/retries.ts';
import type { ToldBlock } from './note-message.ts';
import { type Reply, ReplyReader } from './read-reply.ts';
import { type SessionCore, saidIn, stamp } from './session-core.ts';
import { syntheticReply } from './synthetic-reply.ts';
import { say, type Thread } from './thread.ts';

export type Block = Anthropic.Beta.BetaContentBlock;

/** Reads a reply and tells the host, block by block and where it asked for it event by event. `told` gets the blocks. */
export function tellingReader(
  core: SessionCore,
  thread: Thread,
  { told, onShown }: { told: ToldBlock[]; onShown: () => void },
): ReplyReader {
  return new ReplyReader({
    onEvent: async (event) => {
      if (!core.options.includePartialMessages) return;
      onShown();
      await core.send({ type: 'stream_event', event: asSaid(event), ...saidIn(thread, core) });
    },
    onBlock: async (block, reply) => {
      onShown();
      const message = blockMessage(core, thread, block, reply);
      told.push(message);
      await core.send(message);
    },
  });
}

/** One content block, as a message of its own. */
export function blockMessage(
  core: SessionCore,
  thread: Thread,
  block: Block,
  { id, requestId, model, usage }: Reply,
): ToldBlock {
  return {
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [asSaid(block)],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
    ...saidIn(thread, core),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

/** Hosts show what the model says last: a failure of the API is said in its place. */
export function tellApiError(
  core: SessionCore,
  thread: Thread,
  { message, failure }: ModelError,
): Promise<void> {
  return say(core, thread, {
    type: 'assistant',
    message: syntheticReply(message),
    error: failure,
    ...saidIn(thread, core),
  });
}

export function tellRetry(core: SessionCore, { attempt, maxRetries, delayMs, error }: Retry): Promise<void> {
  return core.send({
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: maxRetries,
    retry_delay_ms: Math.round(delayMs),
    error_status: error.status ?? null,
    error: error.failure,
    ...stamp(core),
  });
}

/** What the API said, or is told, goes to the host as it is. Its types are interfaces, which the wire's open types do not take. */
export function asSaid(said: Anthropic.Beta.BetaRawMessageStreamEvent): ApiStreamEvent;
export function asSaid(said: Block | Anthropic.Beta.BetaToolResultBlockParam): ContentBlock;
export function asSaid(said: unknown): unknown {
  return said;
}
