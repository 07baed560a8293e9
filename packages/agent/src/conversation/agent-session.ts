import { join } from 'node:path';
import {
  type JsonObject,
  messageOf,
  type PermissionMode,
  type PermissionResult,
  type PromptMessage,
} from '@signalbox/protocol';
import { aborted } from '../base/aborted.ts';
import { debugLog } from '../base/debug-log.ts';
import type { LateAnswer } from '../base/host.ts';
import { type Command, type CommandContext, parseCommandLine } from '../commands/command.ts';
import { sessionCommands } from '../commands/session-commands.ts';
import type { StatusLine } from '../hooks/status-line.ts';
import { Accounting } from '../loop/accounting.ts';
import { adoptSummary, summarise } from '../loop/compact.ts';
import type { Extensions } from '../loop/extensions.ts';
import { PromptCache } from '../loop/prompt-cache.ts';
import { type SessionCore, stamp } from '../loop/session-core.ts';
import { SubAgentStats } from '../loop/sub-agent-stats.ts';
import { type SharedTools, threadTools } from '../loop/thread-tools.ts';
import { Turn } from '../loop/turn.ts';
import { type Ending, resultMessage } from '../loop/turn-result.ts';
import { DEFAULT_MODEL, fullModelName } from '../model/prices.ts';
import { messageOfCall, type OpenCall, openCalls } from '../session/open-calls.ts';
import { recordedPrompts } from '../session/recorded-prompts.ts';
import { TaskRegistry } from '../tasks/task-registry.ts';
import { structuredOutputTool } from '../tools/structured-output.ts';
import { recallCost } from './earlier-cost.ts';
import { initMessage } from './init-message.ts';
import { LastPrompt } from './last-prompt.ts';
import { runLocalCommand } from './local-command.ts';
import { type MainThread, mainThread } from './main-thread.ts';
import { asSent, textOf } from './prompt-content.ts';
import { isOwnPrompt, replayedPrompt } from './replayed-prompt.ts';
import { SessionLife } from './session-life.ts';
import type { SessionParts } from './session-parts.ts';
import { SessionResults } from './session-results.ts';
import type { GivenPrompt } from './system-prompt.ts';
import { TaskReports } from './task-reports.ts';
import { withModel } from './with-model.ts';

const debug = debugLog('session');

type TurnBeginning = (turn: Turn, signal: AbortSignal) => Promise<Ending>;

/** One conversation: takes prompts one after the other, and answers each with a turn. */
export class AgentSession {
  readonly core: SessionCore;
  readonly thread: MainThread;
  readonly extensions: Extensions;
  readonly #parts: SessionParts;
  #running: AbortController | undefined;
  readonly #life: SessionLife;
  readonly #results: SessionResults;
  #state: 'open' | 'closed' = 'open';
  #isAttended = false;
  #promptId: string | undefined;
  /** Settles when everything that a prompt may use is there. */
  #ready: Promise<unknown> = Promise.resolve();
  /** Of a loaded conversation its transcript has it. */
  readonly #lastPrompt = new LastPrompt();
  /** The prompt that a loaded conversation ends with. */
  #unanswered: string | undefined;
  /** The calls that a loaded conversation ends with; the host may have been asked about them. */
  readonly #open: Map<string, OpenCall>;

  constructor(parts: SessionParts) {
    const { opened, state, options, model, permissions, hooks, env, host, asker, extensions, onProblem } =
      parts;
    this.#parts = parts;
    this.extensions = extensions;
    this.core = {
      get id() {
        return state.id;
      },
      options,
      model,
      permissions,
      hooks,
      env,
      accounting: new Accounting(),
      spentBeforeUsd: 0,
      subAgentStats: new SubAgentStats(),
      asker,
      maxThinkingTokens: options.maxThinkingTokens,
      effort: options.effort,
      forwardsSubAgentText: options.forwardSubagentText,
      checkpoints: opened.checkpoints,
      onProblem,
      send: (message) => host.write(message),
    };
    permissions.onMode((permissionMode) => {
      const status = { type: 'system', subtype: 'status', status: null } as const;
      void this.core.send({ ...status, permissionMode, ...stamp(this.core) });
    });
    const reports = new TaskReports(this.core, {
      isClosed: () => this.#state === 'closed',
      onNews: (news) => this.#tell(news),
    });
    const shared: SharedTools = {
      originalCwd: parts.cwd,
      home: parts.home,
      ...(parts.sandbox ? { sandbox: parts.sandbox } : {}),
      tasks: new TaskRegistry(
        (task) => reports.began(task, this.thread.toolSession.tasks),
        () => state.log.file && join(state.log.file.replace(/\.jsonl$/, ''), 'tasks'),
      ),
      modelName: () => this.thread.modelName,
    };
    const toolSession = threadTools(this.core, shared, state, () => permissions.mode);
    this.#unanswered = recordedPrompts(opened.loaded).unanswered;
    this.#open = options.asks === 'host' ? openCalls(opened.loaded) : new Map();
    this.thread = mainThread(this.core, extensions, state, opened.loaded, toolSession);
    this.waitFor(toolSession.files.recall(opened.loaded?.seenFiles ?? []));
    this.#life = new SessionLife(this.core, opened.loaded ? 'resume' : 'startup');
    this.#results = new SessionResults(this.core, parts.queuedPrompts);
    this.waitFor(recallCost(this.core, opened.loaded).then(() => this.#results.begin()));
    if (options.jsonSchema) this.setOutputSchema(options.jsonSchema);
  }

  get id(): string {
    return this.core.id;
  }

  get statusLine(): StatusLine | undefined {
    return this.#parts.statusLine;
  }

  /** The prompt that is being answered, or was last. */
  get promptId(): string | undefined {
    return this.#promptId;
  }

  /** All that a person can call with a slash. */
  commands(): readonly Command[] {
    return sessionCommands(this.core, this.thread, this.extensions);
  }

  /** Prompts wait until this has settled, well or not. */
  waitFor(preparation: Promise<unknown>): void {
    this.#ready = Promise.allSettled([this.#ready, preparation]);
  }

  /** Use another model from the next reply on; without a name the one it started with. */
  setModel(name: string | undefined): void {
    this.thread.modelName = fullModelName(name || this.core.options.model || DEFAULT_MODEL);
  }

  setMaxThinkingTokens(tokens: number | undefined): void {
    this.core.maxThinkingTokens = tokens;
  }

  /** Throws `PermissionModeError` for a mode that the session may not enter. */
  setPermissionMode(mode: PermissionMode): void {
    this.core.permissions.setMode(mode);
  }

  /** Instructions that a host gives when it initializes the session. */
  setSystemPrompt({ systemPrompt, appendSystemPrompt }: GivenPrompt): void {
    const { given } = this.thread;
    this.thread.given = {
      systemPrompt: systemPrompt ?? given.systemPrompt,
      appendSystemPrompt: appendSystemPrompt ?? given.appendSystemPrompt,
    };
  }

  /** The result must fit this JSON Schema: the model gets a tool to hand it over. */
  setOutputSchema(schema: JsonObject): void {
    const { structured } = this.thread;
    this.thread.structuredTool = structuredOutputTool(schema, (value) => {
      structured.value = value;
    });
    structured.isWanted = true;
  }

  /** Stop what is being done. The session goes on with the next prompt. */
  interrupt(): void {
    this.#running?.abort();
  }

  /** Answer one prompt, or go on with a call that was asked about. Says whether the turn ended well. */
  async answer(prompt: PromptMessage | LateAnswer): Promise<boolean> {
    const begin = this.#beginning(prompt);
    if (!begin) return true;
    debug(() => `${this.id} takes the prompt ${prompt.uuid ?? ''}`);
    const controller = new AbortController();
    this.#running = controller;
    const { activity, lifecycle, state } = this.#parts;
    const origin = (prompt.type === 'user' && prompt.origin) || undefined;
    const uuid = lifecycle.nameOf(prompt);
    this.thread.promptUuid = uuid;
    state.promptId = crypto.randomUUID();
    return activity.during(async () => {
      await lifecycle.started(uuid);
      const endedWell = await this.#turn(begin, origin, controller.signal);
      await lifecycle.ended(uuid, controller.signal.aborted ? 'cancelled' : 'completed');
      return endedWell;
    });
  }

  async #turn(begin: TurnBeginning, origin: JsonObject | undefined, signal: AbortSignal): Promise<boolean> {
    await Promise.race([this.#ready, aborted(signal)]);
    this.thread.structured.value = undefined;
    this.thread.denials.length = 0;
    const turn = new Turn(this.core, this.thread, signal);
    const ending = await begin(turn, signal);
    debug(() => `${this.id} ends the turn: ${ending.how}`);
    this.thread.history.answerOpenCalls('The tool was not run: the turn ended before.');
    const result = resultMessage(ending, { ...turn.count, session: this.core.accounting }, this.id);
    this.#lastPrompt.noteIn(this.thread.log, this.id);
    // The transcript is whole before anyone hears that the turn is over.
    await this.thread.log.flush();
    await this.core.send(this.#results.next(result, { uuid: this.thread.promptUuid, origin }));
    this.core.permissions.endTurn();
    this.#running = undefined;
    this.#tellNews();
    return !result.is_error;
  }

  /** A person is there: hooks hear at once that the session begins, also after `/clear`. */
  attend(): void {
    this.#isAttended = true;
    this.waitFor(this.#life.begin(this.thread.modelName, new AbortController().signal));
  }

  /** End what still runs in the background. Hooks are told why it ends. */
  async close(reason = 'other'): Promise<void> {
    this.#state = 'closed';
    await this.#life.end(reason);
    await Promise.all([
      this.thread.toolSession.tasks.stopAll(),
      this.core.hooks.close(),
      this.#parts.statusLine?.close(),
      this.extensions.mcp.close(),
    ]);
    await this.#parts.sandbox?.close();
    await this.thread.log.flush();
  }

  /** What a turn begins with: nothing, where an answer is for a call that nobody waits to make. */
  #beginning(prompt: PromptMessage | LateAnswer): TurnBeginning | undefined {
    if (prompt.type === 'user') return (turn, signal) => this.#take(prompt, turn, signal);
    const open = this.#open.get(prompt.toolUseId);
    return open && ((turn, signal) => this.#goOn(open, prompt.result, turn, signal));
  }

  /** The conversation goes on from a call that an earlier run of the session could not make. */
  async #goOn(open: OpenCall, answer: PermissionResult, turn: Turn, signal: AbortSignal): Promise<Ending> {
    this.#open.clear();
    const context = await this.#life.beginWithPrompt(this.thread.modelName, signal);
    await this.#tellInit();
    // Hosts know a result by the call that it belongs to.
    await this.core.send(messageOfCall(open, this.id));
    this.thread.history.withdrawResult(open.call.id);
    this.thread.inbox.push(...context);
    return turn.run({ call: open.call, answer });
  }

  async #take(prompt: PromptMessage, turn: Turn, signal: AbortSignal): Promise<Ending> {
    const { message } = prompt;
    this.#open.clear();
    this.#promptId = prompt.uuid ?? undefined;
    const said = textOf(message.content);
    const line = parseCommandLine(said);
    const called = line && this.commands().find(({ name }) => name === line.name);
    const context = await this.#life.beginWithPrompt(this.thread.modelName, signal);
    if (line && called?.kind === 'local') {
      const ending = await runLocalCommand(called, line.args, this.#commandContext(signal), () =>
        this.#tellInit(),
      );
      await this.#replay(prompt);
      return ending;
    }
    const command = called?.kind === 'prompt' ? called : undefined;
    const heard = await this.#life.hear(said, signal);
    await this.#tellInit();
    await this.#replay(prompt);
    if (heard.refusal !== undefined) return { how: 'stopped', reason: heard.refusal };
    const { checkpoints, permissions } = this.core;
    let content = asSent(message.content);
    permissions.allowForTurn(command?.allowedTools ?? []);
    try {
      if (line && command) content = await command.expand(line.args, signal);
    } catch (error) {
      if (!signal.aborted) return { how: 'failed', error: new Error(messageOf(error), { cause: error }) };
    }
    if (!isOwnPrompt(prompt)) this.#lastPrompt.set(said);
    const entry = { ...message, content };
    const permissionMode = permissions.mode;
    // Recorded before the agent was ended, and never answered: it is in the history already.
    const recorded = prompt.uuid === this.#unanswered ? this.#unanswered : undefined;
    this.#unanswered = undefined;
    const uuid =
      recorded ??
      this.thread.log.add({ type: 'user', message: entry, uuid: prompt.uuid ?? undefined, permissionMode });
    await checkpoints?.startTurn(uuid);
    if (recorded === undefined) this.thread.history.addPrompt(content);
    for (const note of [...context, ...heard.context, ...this.#takeNews()]) this.thread.history.addNote(note);
    return withModel(this.thread, command?.model, () => turn.run());
  }

  /** Hosts that asked for it learn that their prompt is being answered; what is none of theirs they know already. */
  async #replay(prompt: PromptMessage): Promise<void> {
    if (this.core.options.replayUserMessages && !isOwnPrompt(prompt))
      await this.core.send(replayedPrompt(prompt, this.id));
  }

  #commandContext(signal: AbortSignal): CommandContext {
    return {
      core: this.core,
      thread: this.thread,
      extensions: this.extensions,
      signal,
      commands: () => this.commands(),
      setModel: (name) => this.setModel(name),
      startOver: () => this.#startOver(),
      compact: async (instructions) => {
        const summary = await summarise(this.core, this.thread, { trigger: 'manual', instructions, signal });
        await this.#tellInit();
        await adoptSummary(this.core, this.thread, summary);
      },
    };
  }

  async #startOver(): Promise<void> {
    await this.#life.end('clear', 'clear');
    await this.thread.log.flush();
    const { sessionId, log, checkpoints } = await this.#parts.openAnew();
    await this.core.send({ type: 'conversation_reset', new_conversation_id: sessionId, ...stamp(this.core) });
    this.#parts.state.id = sessionId;
    this.core.accounting = new Accounting();
    this.core.spentBeforeUsd = 0;
    this.core.checkpoints = this.core.checkpoints && checkpoints;
    this.#parts.state.log = log;
    this.#lastPrompt.set('');
    this.thread.history.replace([]);
    this.thread.fileInstructions.forget();
    this.thread.contextTokens = 0;
    this.thread.promptCache = new PromptCache();
    if (this.#isAttended) this.attend();
  }

  /** What the model is to hear; once. */
  #takeNews(): string[] {
    return this.thread.inbox.splice(0);
  }

  #tellNews(): void {
    const news = this.#takeNews();
    if (news.length > 0) this.#parts.onNews(news.join('\n\n'));
  }

  #tellInit(): Promise<void> {
    return this.core.send(initMessage(this.core, this.thread, this.extensions, this.commands()));
  }

  /** What the model hears of a task at its end: at once, or when it is next asked something. */
  #tell(news: string): void {
    this.thread.inbox.push(news);
    if (!this.#running) this.#tellNews();
  }
}
