import { messageOf } from '@signalbox/protocol';
import { CompactionError } from '../base/agent-errors.ts';
import { isSet } from '../base/is-set.ts';
import { ModelError } from '../model/model-client.ts';
import { modelFacts } from '../model/prices.ts';
import { askAside } from './ask-aside.ts';
import type { Message } from './history.ts';
import { modelRequest } from './model-request.ts';
import { type SessionCore, saidIn, stamp } from './session-core.ts';
import { summaryMessage, summaryPrompt } from './summary-prompt.ts';
import type { Thread } from './thread.ts';

/** What must stay free of the context: room for a reply, and for the tool results since the last count. */
const REPLY_RESERVE_TOKENS = 20_000;
const UNCOUNTED_RESERVE_TOKENS = 13_000;

/** How often the older half of a conversation is left out when even its summary does not fit. */
const MAX_HALVINGS = 3;

/** Why and how a conversation is made shorter. */
export interface CompactionOrder {
  trigger: 'manual' | 'auto';
  /** What the person wants the summary to keep. */
  instructions?: string | undefined;
  signal: AbortSignal;
}

/** A summary, ready to take the place of the conversation. */
export interface Summary {
  trigger: CompactionOrder['trigger'];
  text: string;
  preTokens: number;
  /** How long the model took to write it. */
  durationMs: number;
}

/** Whether a thread is so close to its model's limit that it is to be compacted before the next reply. */
export function shouldCompact({ env }: SessionCore, thread: Thread): boolean {
  const limit = compactionLimit(env, thread.modelName);
  return limit !== undefined && thread.contextTokens >= limit;
}

/** How many tokens of a conversation have it compacted; undefined where nothing does. */
export function compactionLimit(env: NodeJS.ProcessEnv, modelName: string): number | undefined {
  if (isSet(env.DISABLE_COMPACT) || isSet(env.DISABLE_AUTO_COMPACT)) return undefined;
  const { contextWindow, maxOutputTokens } = modelFacts(modelName);
  const percent = Number(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  const reserve = Math.min(maxOutputTokens, REPLY_RESERVE_TOKENS) + UNCOUNTED_RESERVE_TOKENS;
  return percent > 0 && percent <= 100 ? (contextWindow * percent) / 100 : contextWindow - reserve;
}

/** Whether the API refused a request because the conversation is longer than the model can take. */
export function isTooLong(error: unknown): boolean {
  return error instanceof ModelError && error.status === 400 && /prompt is too long/i.test(error.message);
}

/** Put a summary in the place of the conversation. Throws {@link CompactionError}; the conversation is whole then. */
export async function compact(core: SessionCore, thread: Thread, order: CompactionOrder): Promise<void> {
  await adoptSummary(core, thread, await summarise(core, thread, order));
}

/** Have the model write the summary. Nothing of the conversation has changed when this ends. */
export async function summarise(core: SessionCore, thread: Thread, order: CompactionOrder): Promise<Summary> {
  const { trigger, signal } = order;
  if (thread.history.messages.length === 0) throw new CompactionError('there is nothing to summarise yet');
  const instructions = await hearHooks(core, order);
  const tell = async (status: 'compacting' | null, more: object = {}): Promise<void> => {
    if (isShown(thread))
      await core.send({ type: 'system', subtype: 'status', status, ...more, ...stamp(core) });
  };
  await tell('compacting');
  const startedAt = performance.now();
  try {
    const text = await askForSummary(core, thread, instructions, signal);
    await tell(null, { compact_result: 'success' });
    const durationMs = Math.round(performance.now() - startedAt);
    return { trigger, text, preTokens: thread.contextTokens, durationMs };
  } catch (error) {
    await tell(null, { compact_result: 'failed', compact_error: messageOf(error) });
    if (signal.aborted) throw error;
    throw error instanceof ModelError ? error : new CompactionError(messageOf(error), error);
  }
}

/** Go on with the summary. The transcript keeps all that was said before, and where the summary began. */
export async function adoptSummary(core: SessionCore, thread: Thread, summary: Summary): Promise<void> {
  const { trigger, text, preTokens, durationMs } = summary;
  const { log, history } = thread;
  const before = log.lastUuid;
  const boundary = log.add({
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    isMeta: false,
    compactMetadata: { trigger, preTokens },
    parentUuid: null,
    logicalParentUuid: before,
  });
  if (isShown(thread))
    await core.send({
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger, pre_tokens: preTokens, duration_ms: durationMs },
      ...(before === null ? {} : { logical_parent_uuid: before }),
      session_id: core.id,
      uuid: boundary,
    });
  const message = { role: 'user' as const, content: summaryMessage(text, log.file) };
  const uuid = log.add({ type: 'user', message, isCompactSummary: true, isVisibleInTranscriptOnly: true });
  history.replace([{ ...message }]);
  thread.contextTokens = 0;
  thread.fileInstructions.forget();
  if (!isShown(thread)) return;
  await core.send({
    type: 'user',
    message,
    isReplay: false,
    isSynthetic: true,
    ...saidIn(thread, core),
    uuid,
  });
  if (!core.hooks.has('SessionStart')) return;
  const signal = new AbortController().signal;
  const { additionalContext } = await core.hooks.run(
    'SessionStart',
    { source: 'compact' },
    { signal, matchOn: 'compact' },
  );
  for (const note of additionalContext) history.addNote(note);
}

/** Hosts would take the summary of a sub-agent for that of the session. */
function isShown({ agent }: Thread): boolean {
  return agent === undefined;
}

async function hearHooks({ hooks }: SessionCore, order: CompactionOrder): Promise<string | undefined> {
  const { trigger, instructions, signal } = order;
  if (!hooks.has('PreCompact')) return instructions;
  const details = { trigger, custom_instructions: instructions ?? null };
  const { blocked, additionalContext } = await hooks.run('PreCompact', details, { signal, matchOn: trigger });
  if (blocked !== undefined) throw new CompactionError(`a hook does not want it: ${blocked}`);
  return [instructions ?? '', ...additionalContext].filter(Boolean).join('\n') || undefined;
}

async function askForSummary(
  core: SessionCore,
  thread: Thread,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  let messages = thread.history.messages;
  for (let halvings = 0; ; halvings += 1) {
    const question = { role: 'user' as const, content: summaryPrompt(instructions) };
    const request = {
      ...modelRequest(core, thread),
      messages: [...messages, question],
      tool_choice: { type: 'none' as const },
    };
    if (request.tools?.length === 0) Reflect.deleteProperty(request, 'tool_choice');
    try {
      const { content } = await askAside(core, request, signal);
      const text = content
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join('\n')
        .trim();
      if (text === '') throw new CompactionError('the model wrote no summary');
      return text;
    } catch (error) {
      if (!isTooLong(error) || halvings === MAX_HALVINGS) throw error;
      messages = newerHalf(messages);
    }
  }
}

/** From the middle on, beginning with something that was said: an answer without its call would be refused. */
function newerHalf(messages: readonly Message[]): readonly Message[] {
  const middle = Math.ceil(messages.length / 2);
  const start = messages.findIndex(
    ({ role, content }, at) =>
      at >= middle &&
      role === 'user' &&
      (typeof content === 'string' || content.every(({ type }) => type !== 'tool_result')),
  );
  return start === -1 ? messages.slice(-1) : messages.slice(start);
}
