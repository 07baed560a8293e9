import {
  ControlPeer,
  ControlRefusedError,
  type ControlRequestBody,
  isJsonObject,
  type JsonObject,
} from '@signalbox/protocol';
import { answerDialog, answerElicitation } from '../callbacks/answer-elicitation.ts';
import { answerPermission } from '../callbacks/answer-permission.ts';
import { HookRegistry } from '../callbacks/hook-registry.ts';
import { withWarning } from '../callbacks/with-warning.ts';
import { SdkMcpServers } from '../mcp/sdk-mcp-servers.ts';
import { initializeRequest } from '../options/initialize-request.ts';
import type { AgentProcess, StartAgent } from '../process/agent-process.ts';
import { checkVersion } from '../process/check-version.ts';
import { spawnAgent } from '../process/spawn-agent.ts';
import {
  AbortError,
  AuthenticationError,
  CLIConnectionError,
  ProcessError,
  type ProcessFailure,
  ResultError,
} from '../sdk-errors.ts';
import { mustRestore, type RestoredSession, restoreSession } from '../sessions/restored-session.ts';
import { SessionMirror } from '../sessions/session-mirror.ts';
import type { SDKMessage, SDKResultMessage, SDKUserMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import { InputEnd } from './input-end.ts';
import { MessageReader } from './message-reader.ts';
import { UnreadMessages } from './unread-messages.ts';

/** How long an agent may take to answer a control request, unless the options say. */
export const CONTROL_TIMEOUT_MS = 60_000;

/** How a hub refuses what only the host that starts an agent can set. */
const SHARED = 'session_is_shared';

interface Connection {
  readonly agent: AgentProcess;
  readonly peer: ControlPeer;
  readonly reader: MessageReader;
}

/** One agent, from its start to its end: what it says, what it is asked, and why it ended. */
export class Conversation {
  readonly unread = new UnreadMessages();
  readonly sdkServers: SdkMcpServers;
  /** What the agent says of itself: its answer to `initialize`, or to a claim. */
  initialized: Promise<JsonObject>;
  /** Settles when the agent is gone; never rejects. */
  readonly ended: Promise<void>;
  readonly #options: Options;
  readonly #start: StartAgent;
  readonly #hooks: HookRegistry;
  readonly #connecting: Promise<Connection>;
  #connection: Connection | undefined;
  #restored: RestoredSession | undefined;
  readonly #input = new InputEnd(() => void this.#connection?.agent.endInput());
  /** Aborted once the conversation is ending, whoever ended it. A custom spawner listens to it too. */
  readonly #ending = new AbortController();
  #version: 'unknown' | 'checked' = 'unknown';
  #lastResult: SDKResultMessage | undefined;
  /** Whether the model answered the agent when it was last asked. */
  #wasLetIn = true;

  /** `start` brings the agent; it is run as a process unless told otherwise. */
  constructor(options: Options, start: StartAgent = spawnAgent) {
    this.#options = options;
    this.#start = start;
    this.#hooks = new HookRegistry(options.hooks);
    this.sdkServers = new SdkMcpServers(options.mcpServers);
    const aborted = options.abortController?.signal;
    const onAbort = (): void => this.end(new AbortError(aborted?.reason));
    aborted?.addEventListener('abort', onAbort, { once: true });
    if (aborted?.aborted) onAbort();
    this.#connecting = this.#connect();
    this.initialized = this.#connecting.then(({ peer }) => this.#initialize(peer));
    this.ended = this.#connecting
      .then((connection) => this.#run(connection))
      .catch((error: unknown) => this.end(error))
      .finally(() => aborted?.removeEventListener('abort', onAbort))
      .then(() => this.#restored?.remove());
    // Whoever awaits it is told; a program that does not must not die of it.
    this.initialized.catch((error: unknown) => this.#initializeFailed(error));
  }

  /** Whether the agent may ask something that needs its input open to be answered. */
  get takesQuestions(): boolean {
    const { canUseTool, onElicitation, onUserDialog } = this.#options;
    const hasCallback = Boolean(canUseTool ?? onElicitation ?? onUserDialog);
    return hasCallback || this.#hooks.registration !== undefined || this.sdkServers.names.length > 0;
  }

  async request(body: ControlRequestBody): Promise<JsonObject> {
    return (await this.#connecting).peer.request(body);
  }

  /** Send a prompt; settles when there is room for the next. Rejects with `CLI_CONNECTION` once the agent is gone. */
  async prompt(message: SDKUserMessage): Promise<void> {
    const { peer } = await this.#connecting;
    this.#input.promptSent();
    try {
      // Programs leave out what they cannot know; an agent expects it all the same.
      await peer.send({ ...message, session_id: message.session_id ?? '' });
    } catch (cause) {
      throw new CLIConnectionError('The agent takes no more prompts: it has ended, or is about to.', cause);
    }
  }

  /** Say `initialize` once more. */
  async reinitialize(): Promise<JsonObject> {
    const answer = await this.#initialize((await this.#connecting).peer);
    this.initialized = Promise.resolve(answer);
    return answer;
  }

  /** The agent describes itself anew with this answer. */
  isDescribedBy(answer: Promise<JsonObject>): void {
    const before = this.initialized;
    this.initialized = answer.then(
      ({ initialize }) => (isJsonObject(initialize) ? initialize : before),
      () => before,
    );
  }

  noMorePrompts(options: { waitForTurn: boolean }): void {
    this.#input.noMorePrompts(options);
  }

  /** End the agent. Its reader gets what it said so far, then the end, or the error. */
  end(error?: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(error);
    this.unread.end(error);
    this.#connection?.peer.close(error);
    void this.#connection?.agent.close();
  }

  async #connect(): Promise<Connection> {
    if (this.#ending.signal.aborted) throw new AbortError();
    const { sessionStore: store, sessionStoreFlush = 'batched' } = this.#options;
    if (store && mustRestore(this.#options)) this.#restored = await restoreSession(this.#options, store);
    const agent = await this.#start(this.#restored?.options ?? this.#options, this.#ending.signal);
    const reader = new MessageReader(agent, this.unread, {
      watch: (message) => this.#watch(message),
      mirror: store && new SessionMirror(store, sessionStoreFlush, (error) => this.unread.push(error, 0)),
    });
    const peer = new ControlPeer(reader.control, {
      defaultTimeoutMs: this.#options.controlTimeoutMs ?? CONTROL_TIMEOUT_MS,
      createRequestId: requestId,
    });
    const { canUseTool, onElicitation, onUserDialog } = this.#options;
    peer.handle('can_use_tool', withWarning('canUseTool', answerPermission(canUseTool)));
    peer.handle('hook_callback', withWarning('A hook', this.#hooks.answer));
    peer.handle('elicitation', withWarning('onElicitation', answerElicitation(onElicitation)));
    peer.handle('request_user_dialog', withWarning('onUserDialog', answerDialog(onUserDialog)));
    this.sdkServers.serve(peer);
    this.#connection = { agent, peer, reader };
    return this.#connection;
  }

  async #run({ agent, peer, reader }: Connection): Promise<void> {
    // Ended while it was started: it must not be left running.
    if (this.#ending.signal.aborted) void agent.close();
    const [read] = await Promise.allSettled([reader.run(), peer.run()]);
    // It has said all that it will say; now it must leave, by itself or not.
    const closed = agent.close();
    const { code, signal } = await agent.exited;
    await this.#restored?.remove();
    const { stderrTail: stderr } = agent;
    this.end(read.status === 'rejected' ? read.reason : this.#reasonOf({ exitCode: code, signal, stderr }));
    this.sdkServers.close();
    await closed;
  }

  #reasonOf(failure: ProcessFailure): Error | undefined {
    if (failure.exitCode === 0) return undefined;
    const result = this.#lastResult;
    const exit = new ProcessError(failure);
    if (!result || (!result.is_error && result.subtype === 'success')) return exit;
    return this.#wasLetIn ? new ResultError(result, exit) : new AuthenticationError(result, exit);
  }

  #watch(message: SDKMessage): void {
    if (message.type === 'assistant') {
      this.#wasLetIn = message.error !== 'authentication_failed';
    } else if (message.type === 'result') {
      this.#lastResult = message;
      this.#input.resultSeen(message.queued_turn_count ?? 0);
    } else if (message.type === 'system') {
      if (message.subtype === 'session_state_changed') this.#input.stateSeen(message.state);
      if (message.subtype === 'init') this.#versionSaid(message.claude_code_version);
    }
  }

  #versionSaid(version: unknown): void {
    if (this.#version === 'checked' || typeof version !== 'string') return;
    this.#version = 'checked';
    checkVersion(version);
  }

  async #initialize(peer: ControlPeer): Promise<JsonObject> {
    const request = initializeRequest(this.#options, this.#hooks, this.sdkServers.names);
    const answer = await peer.request(request);
    this.#versionSaid(answer['claude_code_version']);
    if (this.#hooks.mustBlockOnFailure && answer['hook_on_failure_supported'] !== true)
      throw new CLIConnectionError(
        "The agent does not honour onFailure: 'block', so a hook that fails would not block. " +
          'Update the agent, or remove onFailure from the hooks.',
      );
    return answer;
  }

  /** An agent that does not know our hooks would run unwatched, and one without our tools would fail its task. */
  #initializeFailed(error: unknown): void {
    const isRefused = error instanceof ControlRefusedError && error.errorCode === SHARED;
    if (isRefused || this.#hooks.registration !== undefined || this.sdkServers.names.length > 0)
      this.end(error);
  }
}

/** Not a uuid: the first one loads a library, for longer than it takes to start an agent's process. */
function requestId(): string {
  return Math.random().toString(36).slice(2);
}
