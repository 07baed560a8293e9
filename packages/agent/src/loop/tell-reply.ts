import type Anthropic from '@anthropic-ai/sdk';
import { type ApiStreamEvent, type ContentBlock, isJsonObject } from '@signalbox/protocol';
import type { ModelError } from '../model/model-client.ts';
import type { Retry } from '../model/retries.ts';
import { findTool } from '../tools/tool.ts';
import type { ToldBlock } from './note-message.ts';
import { answersPrompt } from './prompt-names.ts';
import { type Reply, ReplyReader } from './read-reply.ts';
import { type SessionCore, saidIn, spokenIn, stamp } from './session-core.ts';
import { syntheticReply } from './synthetic-reply.ts';
import { say, type Thread, tell } from './thread.ts';
import type { TurnTiming } from './turn-timing.ts';

export type Block = Anthropic.Beta.BetaContentBlock;

/** What a reply that is being told belongs to. */
interface ReplyTelling {
  /** Gets the blocks. */
  readonly told: ToldBlock[];
  readonly timing: TurnTiming;
  /** Of the first reply to a prompt. */
  readonly promptUuid: string | undefined;
  readonly onShown: () => void;
}

/** Reads a reply and tells the host, block by block and, of the session's own, event by event where it asked for it. */
export function tellingReader(
  core: SessionCore,
  thread: Thread,
  { told, timing, promptUuid, onShown }: ReplyTelling,
): ReplyReader {
  let blockStartedAt = 0;
  return new ReplyReader({
    onEvent: async (event, { id }) => {
      timing.hears(event);
      if (event.type === 'content_block_start') blockStartedAt = performance.now();
      if (!core.options.includePartialMessages || thread.parentToolUseId !== null) return;
      onShown();
      await core.send({
        type: 'stream_event',
        event: asSaid(event),
        ...saidIn(thread, core),
        api_message_id: id,
        ...(event.type === 'message_start' ? { ttft_ms: timing.replyMs, ...answersPrompt(promptUuid) } : {}),
      });
    },
    onBlock: async (block, reply) => {
      onShown();
      const names = told.length === 0 ? answersPrompt(promptUuid) : {};
      const ms = Math.round(performance.now() - blockStartedAt);
      const message = {
        ...blockMessage(core, thread, asMeant(thread, block), reply),
        ...(block.type === 'thinking' ? { thinking_duration_ms: ms } : {}),
        ...names,
      };
      told.push(message);
      await tell(core, thread, message);
    },
  });
}

/** A call with what the model left to be understood, as those see it who are asked about it. */
function asMeant(thread: Thread, block: Block): Block {
  if (block.type !== 'tool_use' || !isJsonObject(block.input)) return block;
  const input = findTool(thread.tools(), block.name)?.withDefaults?.(block.input);
  return input ? { ...block, input } : block;
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
    ...spokenIn(thread, core),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

/** Hosts show what the model says last: a failure of the API is said in its place. */
export function tellApiError(
  core: SessionCore,
  thread: Thread,
  { message, failure, status, type }: ModelError,
  isFirstReply: boolean,
): Promise<void> {
  return say(core, thread, {
    type: 'assistant',
    message: syntheticReply(message),
    error: failure,
    ...spokenIn(thread, core),
    is_api_error_message: true,
    ...(status === undefined ? {} : { api_error_status: status }),
    ...(type === undefined ? {} : { api_error_type: type }),
    ...(isFirstReply ? answersPrompt(thread.promptUuid) : {}),
  });
}

/** Hosts that follow a reply as it is written also see that it is being waited for. */
export async function tellRequest(core: SessionCore, { parentToolUseId, promptUuid }: Thread): Promise<void> {
  if (!core.options.includePartialMessages || parentToolUseId !== null) return;
  const status = { type: 'system', subtype: 'status', status: 'requesting' } as const;
  const { user_message_uuids } = answersPrompt(promptUuid);
  await core.send({ ...status, ...stamp(core), ...(user_message_uuids ? { user_message_uuids } : {}) });
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
