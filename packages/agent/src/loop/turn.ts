import type Anthropic from '@anthropic-ai/sdk';
import { messageOf, type PermissionResult } from '@signalbox/protocol';
import { CompactionError } from '../base/agent-errors.ts';
import { debugLog } from '../base/debug-log.ts';
import { ModelError } from '../model/model-client.ts';
import { fullModelName } from '../model/prices.ts';
import { OVERLOADS_BEFORE_FALLBACK, type Retry, withRetries } from '../model/retries.ts';
import { findTool } from '../tools/tool.ts';
import { Accounting } from './accounting.ts';
import { compact, isTooLong, shouldCompact } from './compact.ts';
import { modelRequest } from './model-request.ts';
import { noteReply, type ToldBlock } from './note-message.ts';
import { agentOf } from './permit-call.ts';
import { answersPrompt } from './prompt-names.ts';
import type { Reply, ReplyReader } from './read-reply.ts';
import { type SessionCore, spokenIn } from './session-core.ts';
import { withProgress } from './tell-progress.ts';
import {
  asSaid,
  type Block,
  blockMessage,
  tellApiError,
  tellingReader,
  tellRequest,
  tellRetry,
} from './tell-reply.ts';
import { tasksForHooks } from './tell-tasks.ts';
import { say, type Thread } from './thread.ts';
import { filledContext } from './token-count.ts';
import { failure, resultMeta, type ToolOutcome } from './tool-outcome.ts';
import type { Ending, TurnCount } from './turn-result.ts';
import { TurnTiming } from './turn-timing.ts';
import { useTool } from './use-tool.ts';

const debug = debugLog('api');

type Call = Pick<Anthropic.Beta.BetaToolUseBlock, 'id' | 'name' | 'input'>;

/** The texts that tell model and host that a person stopped the turn. */
const INTERRUPTED = '[Request interrupted by user]';
const INTERRUPTED_FOR_TOOL_USE = '[Request interrupted by user for tool use]';

const NOT_RUN = 'The tool was not run: the turn was interrupted.';

/** How often the model is reminded of the structured answer it owes. */
const MAX_OUTPUT_DEMANDS = 5;
const OUTPUT_DEMAND =
  'You have not given the structured answer yet. Call the StructuredOutput tool with it now.';

/** What an agent does for one prompt: replies of the model and the tools they call, until there are no more calls. */
export class Turn {
  readonly count: TurnCount;
  readonly #core: SessionCore;
  readonly #thread: Thread;
  readonly #signal: AbortSignal;
  #overloads = 0;
  #demands = 0;
  /** Until the first reply: what is said then names the prompt that it answers. */
  #isBeginning = true;
  /** Whether a hook has already kept the model from ending. */
  #wasHeld = false;
  /** Tried in vain once: the turn goes on as long as the model takes it. */
  #cannotCompact = false;

  constructor(core: SessionCore, thread: Thread, signal: AbortSignal) {
    this.#core = core;
    this.#thread = thread;
    this.#signal = signal;
    this.count = {
      timing: new TurnTiming(),
      apiMs: 0,
      returned: 0,
      toolUses: 0,
      stopReason: null,
      denials: thread.denials,
      turn: new Accounting(),
      session: core.accounting,
    };
  }

  /**
   * Work until the turn ends, one way or another; where it goes on with a call that is open, from that call on. Nothing
   * is thrown: the ending says what went wrong.
   */
  async run(late?: { call: Call; answer: PermissionResult }): Promise<Ending> {
    try {
      const ending = late && (await this.#useTools([late.call], late.answer));
      return ending ?? (await this.#work());
    } catch (error) {
      if (this.#signal.aborted) return this.#interrupted(INTERRUPTED, 'streaming');
      if (error instanceof ModelError) {
        const { message: text, status, type } = error;
        await tellApiError(this.#core, this.#thread, error, this.#isBeginning);
        return { how: 'api-error', text, status, type };
      }
      return { how: 'failed', error: error instanceof Error ? error : new Error(messageOf(error)) };
    }
  }

  async #work(): Promise<Ending> {
    const { maxBudgetUsd } = this.#core.options;
    const { maxTurns } = this.#thread;
    for (let replies = 1; ; replies += 1) {
      this.#hearLateHooks();
      if (!this.#cannotCompact && shouldCompact(this.#core, this.#thread)) await this.#compact();
      const reply = await this.#askOrCompact();
      const { accounting, spentBeforeUsd } = this.#core;
      if (accounting.costUsd - spentBeforeUsd >= maxBudgetUsd) return { how: 'max-budget', maxBudgetUsd };
      const calls = reply.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) {
        if (this.#lacksOutput()) {
          if (!this.#demandOutput()) return { how: 'no-structured-output', attempts: MAX_OUTPUT_DEMANDS };
          continue;
        }
        if (await this.#isHeld(reply)) continue;
        return this.#structuredEnding() ?? { how: 'done', text: textOf(reply) };
      }
      const { value: earlier } = this.#thread.structured;
      const ending = (await this.#useTools(calls)) ?? this.#structuredEnding(earlier);
      if (ending && (ending.how !== 'done' || !(await this.#isHeld(reply)))) return ending;
      if (replies >= maxTurns) return { how: 'max-turns', maxTurns };
    }
  }

  /** The model handed over a structured answer, other than an earlier one: to ask it again would cost a request for nothing. */
  #structuredEnding(earlier?: unknown): Ending | undefined {
    const { value } = this.#thread.structured;
    return value === earlier ? undefined : { how: 'done', text: JSON.stringify(value), structured: value };
  }

  #lacksOutput(): boolean {
    return this.#thread.structured.isWanted && this.#thread.structured.value === undefined;
  }

  /** Remind the model that it owes a structured answer; false when it was reminded often enough. */
  #demandOutput(): boolean {
    this.#demands += 1;
    if (this.#demands > MAX_OUTPUT_DEMANDS) return false;
    this.#thread.history.addPrompt(OUTPUT_DEMAND);
    return true;
  }

  /** Hooks may keep the model from ending: it is told why, and goes on. */
  async #isHeld(reply: Reply): Promise<boolean> {
    const { hooks } = this.#core;
    const { agent, log } = this.#thread;
    const event = agent ? 'SubagentStop' : 'Stop';
    if (!hooks.has(event)) return false;
    const details = {
      stop_hook_active: this.#wasHeld,
      last_assistant_message: textOf(reply),
      background_tasks: tasksForHooks(this.#thread.toolSession.tasks),
      ...(agent ? { agent_transcript_path: log.file ?? '' } : {}),
    };
    const matchOn = agent?.type;
    const { blocked, stopped } = await hooks.run(event, details, {
      signal: this.#signal,
      ...(matchOn === undefined ? {} : { matchOn }),
      ...agentOf(this.#thread),
    });
    if (blocked === undefined || stopped !== undefined || this.#signal.aborted) return false;
    this.#wasHeld = true;
    await this.#addPrompt(blocked);
    return true;
  }

  /** What hooks that went on in the background have to say is for the session's own thread. */
  #hearLateHooks(): void {
    if (this.#thread.agent) return;
    for (const { additionalContext } of this.#core.hooks.takeLate())
      for (const note of additionalContext) this.#thread.history.addNote(note);
  }

  /** The conversation may turn out to be too long only when the API says so. */
  async #askOrCompact(): Promise<Reply> {
    try {
      return await this.#ask();
    } catch (error) {
      if (this.#cannotCompact || !isTooLong(error)) throw error;
      await this.#compact();
      if (this.#cannotCompact) throw error;
      return this.#ask();
    }
  }

  async #compact(): Promise<void> {
    try {
      await compact(this.#core, this.#thread, { trigger: 'auto', signal: this.#signal });
    } catch (error) {
      if (!(error instanceof CompactionError)) throw error;
      this.#cannotCompact = true;
    }
  }

  /** One reply of the model, told to the host block by block; passing failures are tried again before anything is shown. */
  async #ask(): Promise<Reply> {
    const [core, thread] = [this.#core, this.#thread];
    const messages = thread.history.messages.length;
    debug(() => `asks ${thread.modelName}, messages: ${messages}, tools: ${thread.tools().length}`);
    let shown = 0;
    const startedAt = performance.now();
    const told: ToldBlock[] = [];
    const { timing } = this.count;
    const promptUuid = this.#isBeginning ? thread.promptUuid : undefined;
    const newReader = (): ReplyReader =>
      tellingReader(core, thread, { told, timing, promptUuid, onShown: () => shown++ });
    let reader = newReader();
    try {
      await tellRequest(core, thread);
      timing.asks();
      await withRetries(
        () => {
          reader = newReader();
          const { reply } = reader;
          const noteId = (id: string): void => void (reply.requestId = id);
          return reader.read(core.model.stream(modelRequest(core, thread), this.#signal, noteId));
        },
        {
          env: core.env,
          signal: this.#signal,
          mayRetry: () => shown === 0,
          onRetry: (retry) => this.#beforeRetry(retry),
        },
      ).finally(() => noteReply(thread.log, told, reader.reply));
    } catch (error) {
      // What the model had said so far was seen: it stays part of the conversation.
      if (this.#signal.aborted) await this.#keepUnfinished(reader);
      debug(() => `failed: ${messageOf(error)}`);
      throw error;
    } finally {
      const apiMs = performance.now() - startedAt;
      this.count.apiMs += apiMs;
      this.count.session.apiMs += apiMs;
    }
    this.#isBeginning = false;
    const { reply } = reader;
    const ms = Math.round(performance.now() - startedAt);
    debug(() => `${reply.model} replied after ${ms} ms: ${reply.stopReason}, ${JSON.stringify(reply.usage)}`);
    this.count.stopReason = reply.stopReason;
    this.count.turn.add(reply.model, reply.usage);
    this.count.session.add(reply.model, reply.usage);
    thread.lastUsage = reply.usage;
    thread.promptCache?.add(reply.usage, Date.now());
    thread.contextTokens = filledContext(reply.usage);
    thread.history.addReply(reply.content);
    return reply;
  }

  async #keepUnfinished({ reply, unfinishedText }: ReplyReader): Promise<void> {
    const whole = reply.content.filter((block) => block?.type === 'text' && block.text !== unfinishedText);
    const rest: Block[] = unfinishedText ? [{ type: 'text', text: unfinishedText, citations: null }] : [];
    for (const block of rest)
      await say(this.#core, this.#thread, {
        ...blockMessage(this.#core, this.#thread, block, reply),
        ...(this.#isBeginning ? answersPrompt(this.#thread.promptUuid) : {}),
        aborted: true,
      });
    this.#thread.history.addReply([...whole, ...rest]);
  }

  async #beforeRetry(retry: Retry): Promise<void> {
    await tellRetry(this.#core, retry);
    const { fallbackModel } = this.#core.options;
    if (retry.error.isOverload) this.#overloads += 1;
    if (fallbackModel !== undefined && this.#overloads >= OVERLOADS_BEFORE_FALLBACK) {
      this.#thread.modelName = fullModelName(fallbackModel);
    }
  }

  /** Calls that only read run side by side; the others one after the other. Says how the turn ends, if it does. */
  async #useTools(calls: readonly Call[], answer?: PermissionResult): Promise<Ending | undefined> {
    const isReadOnly = (call: Call): boolean =>
      findTool(this.#thread.tools(), call.name)?.isReadOnly === true;
    const notes: string[] = [];
    for (let at = 0; at < calls.length; ) {
      const together = calls.slice(at).findIndex((call) => !isReadOnly(call));
      const size = together === -1 ? calls.length - at : Math.max(1, together);
      const batch = calls.slice(at, at + size);
      const outcomes = await Promise.all(batch.map((call) => this.#use(call, answer)));
      let stopped: string | undefined;
      for (const [index, call] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome) await this.#report(call, outcome);
        if (outcome?.endsTurn) return this.#interruptedAt(calls.slice(at + index + 1));
        notes.push(...(outcome?.notes ?? []));
        stopped ??= outcome?.stopped;
      }
      if (this.#signal.aborted) return this.#interruptedAt(calls.slice(at + size));
      if (stopped !== undefined) return { how: 'stopped', reason: stopped };
      at += size;
    }
    const news = this.#thread.inbox.splice(0);
    for (const note of [...notes, ...news]) this.#thread.history.addNote(note);
    return undefined;
  }

  #use(call: Call, answer: PermissionResult | undefined): Promise<ToolOutcome> {
    this.count.toolUses += 1;
    this.#thread.onToolUse?.(call.name);
    const [core, thread] = [this.#core, this.#thread];
    const context = { session: thread.toolSession, toolUseId: call.id, signal: this.#signal };
    return withProgress(core, thread, call, () => useTool(call, { core, thread, context, answer }));
  }

  async #report(call: Call, outcome: ToolOutcome): Promise<void> {
    if (outcome.wasDenied) {
      this.count.denials.push({
        tool_name: call.name,
        tool_use_id: call.id,
        tool_input: { ...Object(call.input) },
      });
    }
    const { content, isError = false } = outcome;
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content, is_error: isError };
    this.#thread.history.addToolResult(result);
    this.count.returned += 1;
    await say(this.#core, this.#thread, {
      type: 'user',
      message: { role: 'user', content: [asSaid(result)] },
      ...spokenIn(this.#thread, this.#core),
      tool_use_result:
        outcome.structured ??
        (isError ? `Error: ${typeof content === 'string' ? content : JSON.stringify(content)}` : content),
      ...resultMeta(call.id, outcome),
    });
  }

  /** Hosts show a call as open until they hear of its result: those that were left get one, too. */
  async #interruptedAt(left: readonly Call[]): Promise<Ending> {
    for (const call of left) await this.#report(call, failure(NOT_RUN));
    return this.#interrupted(INTERRUPTED_FOR_TOOL_USE, 'tools');
  }

  async #interrupted(text: string, during: 'streaming' | 'tools'): Promise<Ending> {
    this.#thread.history.answerOpenCalls(NOT_RUN);
    this.count.returned += 1;
    await this.#addPrompt(text);
    return { how: 'interrupted', during };
  }

  /** Something is said to the model in the person's place, and the host sees it. */
  async #addPrompt(text: string): Promise<void> {
    const content = [{ type: 'text' as const, text }];
    this.#thread.history.addPrompt(content);
    await say(this.#core, this.#thread, {
      type: 'user',
      message: { role: 'user', content },
      ...spokenIn(this.#thread, this.#core),
    });
  }
}

function textOf(reply: Reply): string {
  return reply.content.findLast((block) => block.type === 'text')?.text ?? '';
}
