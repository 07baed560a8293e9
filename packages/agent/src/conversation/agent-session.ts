import { join } from 'node:path';
import {
  type JsonObject,
  messageOf,
  type PermissionMode,
  type PermissionResult,
  type PromptMessage,
} from '@signalbox/protocol';
import { debugLog } from '../base/debug-log.ts';
import type { Host, LateAnswer, PermissionAsker } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { type Command, type CommandPlace, parseCommandLine } from '../commands/command.ts';
import { sessionCommands } from '../commands/session-commands.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import { Accounting } from '../loop/accounting.ts';
import { adoptSummary, summarise } from '../loop/compact.ts';
import { type SessionCore, type SessionState, saidIn, stamp } from '../loop/session-core.ts';
import type { SessionKit } from '../loop/session-kit.ts';
import { taskNews, tellTaskEnd } from '../loop/tell-task-end.ts';
import { type SharedTools, threadTools } from '../loop/thread-tools.ts';
import { Turn } from '../loop/turn.ts';
import { type Ending, resultMessage } from '../loop/turn-result.ts';
import type { ModelClient } from '../model/model-client.ts';
import { DEFAULT_MODEL, fullModelName } from '../model/prices.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { messageOfCall, type OpenCall, openCalls } from '../session/open-calls.ts';
import type { OpenSession } from '../session/open-session.ts';
import { recordedPrompts } from '../session/recorded-prompts.ts';
import { type BackgroundTask, TaskRegistry } from '../tasks/task-registry.ts';
import { structuredOutputTool } from '../tools/structured-output.ts';
import { initMessage } from './init-message.ts';
import { type MainThread, mainThread } from './main-thread.ts';
import { asSent, textOf } from './prompt-content.ts';
import type { SessionActivity } from './session-activity.ts';
import { SessionLife } from './session-life.ts';
import type { GivenPrompt } from './system-prompt.ts';
import { withModel } from './with-model.ts';

const debug = debugLog('session');

/** What a session is made of. */
export interface SessionParts {
  opened: OpenSession;
  state: SessionState;
  /** A new session in the place of one that is cleared. */
  openAnew: () => Promise<OpenSession>;
  options: AgentOptions;
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
  host: Host;
  model: ModelClient;
  permissions: PermissionStore;
  /** Absent when nobody can be asked for permission. */
  asker: PermissionAsker | undefined;
  hooks: HookRunner;
  kit: SessionKit;
  activity: SessionActivity;
  /** Absent where commands are not confined. */
  sandbox?: Sandbox | undefined;
  onProblem: (problem: { message: string }) => void;
  /** Called with what there is to tell the model while no prompt is being answered. */
  onNews: (news: string) => void;
}

type TurnBeginning = (turn: Turn, signal: AbortSignal) => Promise<Ending>;

/** One conversation: takes prompts one after the other, and answers each with a turn. */
export class AgentSession {
  readonly core: SessionCore;
  readonly thread: MainThread;
  readonly kit: SessionKit;
  readonly #parts: SessionParts;
  #running: AbortController | undefined;
  readonly #life: SessionLife;
  #state: 'open' | 'closed' = 'open';
  /** Settles when everything that a prompt may use is there. */
  #ready: Promise<unknown> = Promise.resolve();
  /** The prompt that a loaded conversation ends with. */
  #unanswered: string | undefined;
  /** The calls that a loaded conversation ends with; the host may have been asked about them. */
  readonly #open: Map<string, OpenCall>;

  constructor(parts: SessionParts) {
    const { opened, state, options, model, permissions, hooks, env, host, asker, kit, onProblem } = parts;
    this.#parts = parts;
    this.kit = kit;
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
      asker,
      maxThinkingTokens: options.maxThinkingTokens,
      checkpoints: opened.checkpoints,
      onProblem,
      send: (message) => host.write(message),
    };
    permissions.onMode((permissionMode) => {
      const status = { type: 'system', subtype: 'status', status: null } as const;
      void this.core.send({ ...status, permissionMode, ...stamp(this.core) });
    });
    const shared: SharedTools = {
      originalCwd: parts.cwd,
      home: parts.home,
      ...(parts.sandbox ? { sandbox: parts.sandbox } : {}),
      tasks: new TaskRegistry(
        (task) => void task.ended.then(() => this.#taskEnded(task)),
        () => state.log.file && join(state.log.file.replace(/\.jsonl$/, ''), 'tasks'),
      ),
      modelName: () => this.thread.modelName,
    };
    const toolSession = threadTools(this.core, shared, state, () => permissions.mode);
    this.#unanswered = recordedPrompts(opened.loaded).unanswered;
    this.#open = options.asks === 'host' ? openCalls(opened.loaded) : new Map();
    this.thread = mainThread(this.core, kit, state, opened.loaded, toolSession);
    this.waitFor(toolSession.files.recall(opened.loaded?.seenFiles ?? []));
    this.#life = new SessionLife(this.core, opened.loaded ? 'resume' : 'startup');
    if (options.jsonSchema) this.setOutputSchema(options.jsonSchema);
  }

  get id(): string {
    return this.core.id;
  }

  /** All that a person can call with a slash. */
  commands(): readonly Command[] {
    return sessionCommands(this.core, this.thread, this.kit);
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
    return this.#parts.activity.during(() => this.#turn(begin, controller.signal));
  }

  async #turn(begin: TurnBeginning, signal: AbortSignal): Promise<boolean> {
    await Promise.race([this.#ready, aborted(signal)]);
    this.thread.structured.value = undefined;
    this.thread.denials.length = 0;
    const turn = new Turn(this.core, this.thread, signal);
    const ending = await begin(turn, signal);
    debug(() => `${this.id} ends the turn: ${ending.how}`);
    this.thread.history.answerOpenCalls('The tool was not run: the turn ended before.');
    const result = resultMessage(ending, { ...turn.count, session: this.core.accounting }, this.id);
    // The transcript is whole before anyone hears that the turn is over.
    await this.thread.log.flush();
    await this.core.send(result);
    this.core.permissions.endTurn();
    this.#running = undefined;
    this.#tellNews();
    return !result.is_error;
  }

  /** End what still runs in the background. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#life.end('other');
    await Promise.all([
      this.thread.toolSession.tasks.stopAll(),
      this.core.hooks.close(),
      this.kit.mcp.close(),
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
    const context = await this.#life.begin(this.thread.modelName, signal);
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
    const said = textOf(message.content);
    const line = parseCommandLine(said);
    const called = line && this.commands().find(({ name }) => name === line.name);
    const context = await this.#life.begin(this.thread.modelName, signal);
    if (line && called?.kind === 'local') return this.#runCommand(called, line.args, signal);
    const command = called?.kind === 'prompt' ? called : undefined;
    const heard = await this.#life.hear(said, signal);
    await this.#tellInit();
    if (heard.refusal !== undefined) return { how: 'stopped', reason: heard.refusal };
    const { checkpoints, permissions } = this.core;
    let content = asSent(message.content);
    permissions.allowForTurn(command?.allowedTools ?? []);
    try {
      if (line && command) content = await command.expand(line.args, signal);
    } catch (error) {
      if (!signal.aborted) return { how: 'failed', error: new Error(messageOf(error), { cause: error }) };
    }
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

  async #runCommand(
    command: Extract<Command, { kind: 'local' }>,
    args: string,
    signal: AbortSignal,
  ): Promise<Ending> {
    let text: string;
    try {
      if (command.name !== 'compact') await this.#tellInit();
      text = await command.run(args, this.#commandPlace(signal));
    } catch (error) {
      if (signal.aborted) return { how: 'interrupted', during: 'streaming' };
      return { how: 'failed', error: error instanceof Error ? error : new Error(messageOf(error)) };
    }
    const content = `<local-command-stdout>${text}</local-command-stdout>`;
    if (text !== '') {
      await this.core.send({
        type: 'user',
        message: { role: 'user', content },
        ...saidIn(this.thread, this.core),
        isReplay: true,
      });
    }
    // Hosts know a compaction by an empty result.
    return { how: 'done', text: command.name === 'compact' ? '' : text };
  }

  #commandPlace(signal: AbortSignal): CommandPlace {
    return {
      core: this.core,
      thread: this.thread,
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
    this.core.checkpoints = this.core.checkpoints && checkpoints;
    this.#parts.state.log = log;
    this.thread.history.replace([]);
    this.thread.fileInstructions.forget();
    this.thread.contextTokens = 0;
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
    return this.core.send(initMessage(this.core, this.thread, this.kit, this.commands()));
  }

  #taskEnded(task: BackgroundTask): void {
    const status = task.status();
    if (this.#state === 'closed' || status === 'running') return;
    const end = {
      task_id: task.id,
      tool_use_id: task.toolUseId,
      status,
      text: task.output(),
      file: task.file,
    };
    void tellTaskEnd(this.core, end);
    if (status === 'completed') {
      const details = { task_id: task.id, task_subject: task.description };
      void this.core.hooks.run('TaskCompleted', details, { signal: new AbortController().signal });
    }
    // Who stopped it knows.
    if (status === 'stopped') return;
    this.thread.inbox.push(taskNews(end, task.description));
    if (!this.#running) this.#tellNews();
  }
}

/** Whoever interrupts does not wait for servers that are slow to start. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
