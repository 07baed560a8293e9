import type { JsonObject, OutboundAgentMessage, PermissionMode, PromptMessage } from '@signalbox/protocol';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HostLink } from '../io/host-link.ts';
import type { Output } from '../io/output.ts';
import type { ModelClient } from '../model/model-client.ts';
import { DEFAULT_MODEL, fullModelName } from '../model/prices.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { SessionLog } from '../session/transcript.ts';
import { TaskRegistry } from '../tasks/task-registry.ts';
import { FileMemory } from '../tools/file-memory.ts';
import { BUILT_IN_TOOLS } from '../tools/registry.ts';
import { structuredOutputTool } from '../tools/structured-output.ts';
import { PROTOCOL_VERSION } from '../version.ts';
import { Accounting } from './accounting.ts';
import { History, type Message } from './history.ts';
import { noteMessage } from './note-message.ts';
import { type SessionCore, stamp } from './session-core.ts';
import { systemPrompt } from './system-prompt.ts';
import { Turn } from './turn.ts';
import { resultMessage } from './turn-result.ts';

/** What a session is made of. */
export interface SessionParts {
  opened: OpenSession;
  options: AgentOptions;
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
  output: Output;
  model: ModelClient;
  permissions: PermissionStore;
}

/** One conversation: takes prompts one after the other, and answers each with a turn. */
export class AgentSession {
  readonly core: SessionCore;
  readonly #log: SessionLog;
  #running: AbortController | undefined;

  constructor(parts: SessionParts) {
    const { opened, options, env, cwd, home, output, model, permissions } = parts;
    const { sessionId: id, log, checkpoints } = opened;
    this.core = {
      id,
      options,
      model,
      history: new History(spoken(opened.loaded?.messages ?? [])),
      permissions,
      accounting: new Accounting(),
      host: undefined,
      modelName: fullModelName(options.model ?? DEFAULT_MODEL),
      contextTokens: 0,
      maxThinkingTokens: options.maxThinkingTokens,
      systemPrompt: systemPrompt(options, cwd),
      tools: BUILT_IN_TOOLS.filter(({ name }) => options.tools?.includes(name) ?? true),
      structured: { isWanted: false, value: undefined },
      checkpoints,
      emit: (message: OutboundAgentMessage) => {
        noteMessage(log, message);
        return output.write(message);
      },
      toolSession: {
        id,
        cwd,
        originalCwd: cwd,
        home,
        env,
        files: new FileMemory(),
        tasks: new TaskRegistry(),
        todos: [],
        get mode() {
          return permissions.mode;
        },
        set mode(mode) {
          permissions.mode = mode;
        },
        get additionalDirectories() {
          return permissions.directories;
        },
        beforeFileChange: async (path) => checkpoints?.beforeFileChange(path),
      },
    };
    this.#log = log;
    if (options.jsonSchema) this.setOutputSchema(options.jsonSchema);
  }

  get id(): string {
    return this.core.id;
  }

  /** Whom to ask for permissions. */
  set host(host: HostLink) {
    this.core.host = host;
  }

  /** Use another model from the next reply on; without a name the one it started with. */
  setModel(name: string | undefined): void {
    this.core.modelName = fullModelName(name || this.core.options.model || DEFAULT_MODEL);
  }

  setMaxThinkingTokens(tokens: number | undefined): void {
    this.core.maxThinkingTokens = tokens;
  }

  setPermissionMode(mode: PermissionMode): void {
    this.core.permissions.mode = mode;
  }

  /** Instructions that a host gives when it initializes the session. */
  setSystemPrompt(text: string | undefined, appended: string | undefined): void {
    const { options, toolSession } = this.core;
    const asked = {
      systemPrompt: text ?? options.systemPrompt,
      appendSystemPrompt: appended ?? options.appendSystemPrompt,
    };
    this.core.systemPrompt = systemPrompt(asked, toolSession.originalCwd);
  }

  /** The result must fit this JSON Schema: the model gets a tool to hand it over. */
  setOutputSchema(schema: JsonObject): void {
    const { core } = this;
    const tool = structuredOutputTool(schema, (value) => {
      core.structured.value = value;
    });
    core.structured.isWanted = true;
    core.tools = [...core.tools.filter(({ name }) => name !== tool.name), tool];
  }

  /** Stop what is being done. The session goes on with the next prompt. */
  interrupt(): void {
    this.#running?.abort();
  }

  /** Answer one prompt. Says whether the turn ended well. */
  async answer(prompt: PromptMessage): Promise<boolean> {
    const controller = new AbortController();
    this.#running = controller;
    const turn = new Turn(this.core, controller.signal);
    this.core.structured.value = undefined;
    await this.core.emit(this.#initMessage());
    const { message } = prompt;
    const permissionMode = this.core.permissions.mode;
    const uuid = this.#log.add({ type: 'user', message, uuid: prompt.uuid ?? undefined, permissionMode });
    await this.core.checkpoints?.startTurn(uuid);
    // What a host sends goes to the API as it is: it knows more kinds of content than we need to.
    this.core.history.addPrompt(asSent(message.content));
    const ending = await turn.run();
    this.core.history.answerOpenCalls('The tool was not run: the turn ended before.');
    const result = resultMessage(ending, turn.count, this.id);
    // The transcript is whole before anyone hears that the turn is over.
    await this.#log.flush();
    await this.core.emit(result);
    this.#running = undefined;
    return !result.is_error;
  }

  /** End what still runs in the background. */
  async close(): Promise<void> {
    await this.core.toolSession.tasks.stopAll();
    await this.#log.flush();
  }

  #initMessage() {
    const { modelName, tools, permissions, model, toolSession } = this.core;
    return {
      type: 'system' as const,
      subtype: 'init' as const,
      cwd: toolSession.cwd,
      ...stamp(this.core),
      tools: tools.map(({ name }) => name),
      mcp_servers: [],
      model: modelName,
      permissionMode: permissions.mode,
      slash_commands: [],
      apiKeySource: model.keySource,
      claude_code_version: PROTOCOL_VERSION,
      output_style: 'default',
      agents: [],
      skills: [],
      plugins: [],
    };
  }
}

/** A loaded conversation has only users and assistants in it. */
function spoken(messages: NonNullable<OpenSession['loaded']>['messages']): Message[];
function spoken(messages: readonly { role: string }[]): unknown {
  return messages.filter(({ role }) => role === 'user' || role === 'assistant');
}

/** The wire's types are open, the API's are not. */
function asSent(content: PromptMessage['message']['content']): Message['content'];
function asSent(content: unknown): unknown {
  return content;
}
