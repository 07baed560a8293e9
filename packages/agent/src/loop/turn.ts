import type Anthropic from '@anthropic-ai/sdk';
import { type ApiStreamEvent, type ContentBlock, messageOf } from '@signalbox/protocol';
import { ModelError } from '../model/model-client.ts';
import { fullModelName } from '../model/prices.ts';
import { OVERLOADS_BEFORE_FALLBACK, type Retry, withRetries } from '../model/retries.ts';
import { Accounting, noTokens } from './accounting.ts';
import { modelRequest } from './model-request.ts';
import { type Reply, ReplyReader } from './read-reply.ts';
import { type SessionCore, stamp } from './session-core.ts';
import type { Ending, TurnCount } from './turn-result.ts';
import { type ToolOutcome, useTool } from './use-tool.ts';

type Block = Anthropic.Beta.BetaContentBlock;
type Call = Anthropic.Beta.BetaToolUseBlock;

/** The texts that tell model and host that a person stopped the turn. */
const INTERRUPTED = '[Request interrupted by user]';
const INTERRUPTED_FOR_TOOL_USE = '[Request interrupted by user for tool use]';

/** How often the model is reminded of the structured answer it owes. */
const MAX_OUTPUT_DEMANDS = 5;
const OUTPUT_DEMAND =
  'You have not given the structured answer yet. Call the StructuredOutput tool with it now.';

/** What an agent does for one prompt: replies of the model and the tools they call, until there are no more calls. */
export class Turn {
  readonly count: TurnCount;
  readonly #core: SessionCore;
  readonly #signal: AbortSignal;
  #overloads = 0;
  #demands = 0;

  constructor(core: SessionCore, signal: AbortSignal) {
    this.#core = core;
    this.#signal = signal;
    this.count = {
      startedAt: performance.now(),
      apiMs: 0,
      returned: 0,
      stopReason: null,
      denials: [],
      turn: new Accounting(),
      session: core.accounting,
    };
  }

  /** Work until the turn ends, one way or another. Nothing is thrown: the ending says what went wrong. */
  async run(): Promise<Ending> {
    try {
      return await this.#work();
    } catch (error) {
      if (this.#signal.aborted) return this.#interrupted(INTERRUPTED, 'streaming');
      if (error instanceof ModelError) return this.#apiError(error);
      return { how: 'failed', error: error instanceof Error ? error : new Error(messageOf(error)) };
    }
  }

  async #work(): Promise<Ending> {
    const { maxTurns, maxBudgetUsd } = this.#core.options;
    for (let replies = 1; ; replies += 1) {
      const reply = await this.#ask();
      if (this.#core.accounting.costUsd >= maxBudgetUsd) return { how: 'max-budget', maxBudgetUsd };
      const calls = reply.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) {
        if (!this.#lacksOutput()) return this.#done(reply);
        if (!this.#demandOutput()) return { how: 'no-structured-output', attempts: MAX_OUTPUT_DEMANDS };
        continue;
      }
      const endsTurn = await this.#useTools(calls);
      if (endsTurn || this.#signal.aborted) return this.#interrupted(INTERRUPTED_FOR_TOOL_USE, 'tools');
      if (replies >= maxTurns) return { how: 'max-turns', maxTurns };
    }
  }

  /** Hosts show what the model says last: a failure of the API is said in its place. */
  async #apiError({ message, failure }: ModelError): Promise<Ending> {
    await this.#core.emit({
      type: 'assistant',
      message: {
        id: crypto.randomUUID(),
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text: message }],
        stop_reason: 'stop_sequence',
        stop_sequence: '',
        usage: noTokens(),
      },
      parent_tool_use_id: null,
      error: failure,
      ...stamp(this.#core),
    });
    return { how: 'api-error', text: message };
  }

  #done(reply: Reply): Ending {
    const { isWanted, value } = this.#core.structured;
    return { how: 'done', text: textOf(reply), ...(isWanted ? { structured: value } : {}) };
  }

  #lacksOutput(): boolean {
    return this.#core.structured.isWanted && this.#core.structured.value === undefined;
  }

  /** Remind the model that it owes a structured answer; false when it was reminded often enough. */
  #demandOutput(): boolean {
    this.#demands += 1;
    if (this.#demands > MAX_OUTPUT_DEMANDS) return false;
    this.#core.history.addPrompt(OUTPUT_DEMAND);
    return true;
  }

  /** One reply of the model, told to the host block by block; passing failures are tried again before anything is shown. */
  async #ask(): Promise<Reply> {
    let shown = 0;
    const startedAt = performance.now();
    let reader = this.#reader(() => shown++);
    try {
      await withRetries(
        () => {
          reader = this.#reader(() => shown++);
          return reader.read(this.#core.model.stream(modelRequest(this.#core), this.#signal));
        },
        {
          env: this.#core.toolSession.env,
          signal: this.#signal,
          mayRetry: () => shown === 0,
          onRetry: (retry) => this.#beforeRetry(retry),
        },
      );
    } catch (error) {
      // What the model had said so far was seen: it stays part of the conversation.
      if (this.#signal.aborted) await this.#keepUnfinished(reader);
      throw error;
    } finally {
      this.count.apiMs += performance.now() - startedAt;
    }
    const { reply } = reader;
    this.count.stopReason = reply.stopReason;
    this.count.turn.add(reply.model, reply.usage);
    this.count.session.add(reply.model, reply.usage);
    this.#core.contextTokens = Object.values(reply.usage).reduce((sum, tokens) => sum + tokens, 0);
    this.#core.history.addReply(reply.content);
    return reply;
  }

  #reader(onShown: () => void): ReplyReader {
    const { options } = this.#core;
    return new ReplyReader({
      onEvent: async (event) => {
        if (!options.includePartialMessages) return;
        onShown();
        await this.#core.emit({
          type: 'stream_event',
          event: asSaid(event),
          parent_tool_use_id: null,
          ...stamp(this.#core),
        });
      },
      onBlock: async (block, reply) => {
        onShown();
        await this.#emitBlock(block, reply);
      },
    });
  }

  async #emitBlock(block: Block, { id, model, usage }: Reply): Promise<void> {
    await this.#core.emit({
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
      parent_tool_use_id: null,
      ...stamp(this.#core),
    });
  }

  async #keepUnfinished({ reply, unfinishedText }: ReplyReader): Promise<void> {
    const whole = reply.content.filter((block) => block?.type === 'text' && block.text !== unfinishedText);
    const rest: Block[] = unfinishedText ? [{ type: 'text', text: unfinishedText, citations: null }] : [];
    for (const block of rest) await this.#emitBlock(block, reply);
    this.#core.history.addReply([...whole, ...rest]);
  }

  async #beforeRetry({ attempt, maxRetries, delayMs, error }: Retry): Promise<void> {
    await this.#core.emit({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: maxRetries,
      retry_delay_ms: Math.round(delayMs),
      error_status: error.status ?? null,
      error: error.failure,
      ...stamp(this.#core),
    });
    const { fallbackModel } = this.#core.options;
    if (error.isOverload) this.#overloads += 1;
    if (fallbackModel !== undefined && this.#overloads >= OVERLOADS_BEFORE_FALLBACK) {
      this.#core.modelName = fullModelName(fallbackModel);
    }
  }

  /** Calls that only read run side by side; the others one after the other. Says whether the turn is to end. */
  async #useTools(calls: readonly Call[]): Promise<boolean> {
    const isReadOnly = (call: Call): boolean =>
      this.#core.tools.find(({ name }) => name === call.name)?.isReadOnly === true;
    for (let at = 0; at < calls.length; ) {
      const together = calls.slice(at).findIndex((call) => !isReadOnly(call));
      const size = together === -1 ? calls.length - at : Math.max(1, together);
      const batch = calls.slice(at, at + size);
      const outcomes = await Promise.all(batch.map((call) => this.#use(call)));
      for (const [index, call] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome) await this.#report(call, outcome);
        if (outcome?.endsTurn) return true;
      }
      if (this.#signal.aborted) return true;
      at += size;
    }
    return false;
  }

  async #use(call: Call): Promise<ToolOutcome> {
    return useTool(call, {
      tools: this.#core.tools,
      permissions: this.#core.permissions,
      host: this.#core.host,
      callContext: { session: this.#core.toolSession, toolUseId: call.id, signal: this.#signal },
    });
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
    this.#core.history.addToolResult(result);
    this.count.returned += 1;
    await this.#core.emit({
      type: 'user',
      message: { role: 'user', content: [asSaid(result)] },
      parent_tool_use_id: null,
      ...stamp(this.#core),
      tool_use_result:
        outcome.structured ??
        (isError ? `Error: ${typeof content === 'string' ? content : JSON.stringify(content)}` : content),
    });
  }

  async #interrupted(text: string, during: 'streaming' | 'tools'): Promise<Ending> {
    const { history } = this.#core;
    history.answerOpenCalls('The tool was not run: the turn was interrupted.');
    const content = [{ type: 'text' as const, text }];
    history.addPrompt(content);
    this.count.returned += 1;
    await this.#core.emit({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      ...stamp(this.#core),
    });
    return { how: 'interrupted', during };
  }
}

function textOf(reply: Reply): string {
  return reply.content.findLast((block) => block.type === 'text')?.text ?? '';
}

/** What the API said, or is told, goes to the host as it is. Its types are interfaces, which the wire's open types do not take. */
function asSaid(said: Anthropic.Beta.BetaRawMessageStreamEvent): ApiStreamEvent;
function asSaid(said: Block | Anthropic.Beta.BetaToolResultBlockParam): ContentBlock;
function asSaid(said: unknown): unknown {
  return said;
}
