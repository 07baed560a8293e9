import { enderAfter, exitWords, isJsonObject, messageOf } from '@signalbox/protocol';
import type { SDKMessage } from 'signalbox';
import {
  type EntryMessage,
  type HubApi,
  type HubStream,
  type PermissionRequest,
  RECORD_START,
  type Session,
  type SnapshotMessage,
  type StreamMessage,
} from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { FreshPreviews } from '../hub/fresh-previews.ts';
import { shortId } from '../hub/pick-session.ts';
import { commandHere } from '../own-command.ts';
import { isSdkMessage } from './sdk-message.ts';
import { costSoFar } from './turn-cost.ts';

/** Exit codes of a run. */
export const RUN_CODE = { success: 0, failed: 1, interrupted: 130 } as const;

/** How much of the record is looked through for the end of the turn before. */
const TAIL = 50;

const AWAY = 'the agent is not connected; the prompt waits for it';

/** How an agent ended, with the last that it wrote to stderr, or why it could not be started. */
interface AgentEnd {
  code: number | null;
  signal: string | null;
  stderr?: string;
}

/** Who is shown a run. */
export interface RunListener {
  /** `costBefore` is what the agent had cost when the prompt was given. */
  onMessage(message: SDKMessage, costBefore: number): void;
  onPreview(message: unknown): void;
  onPermission(permission: PermissionRequest): void;
  /** Something to know beside the conversation. */
  onNote(text: string): void;
}

/** A prompt on its way through a session: `waiting` until its turn begins, `over` when it ended or was left. */
export class PromptRun {
  readonly #api: HubApi;
  readonly #stream: HubStream;
  readonly #session: string;
  readonly #listener: RunListener;
  readonly #previews = new FreshPreviews();
  /** What is asked before it is known to be this turn's: nobody allows here what another turn wants. */
  readonly #held = new Map<string, PermissionRequest>();
  readonly ended: Promise<number>;
  #end: (code: number) => void = () => {};
  #state: 'waiting' | 'running' | 'interrupting' | 'over' = 'waiting';
  #promptId = '';
  #costBefore = 0;
  /** The last entry of an agent that has ended, and how it did: the turn may have ended before. */
  #lastWords: { seq: number; end: AgentEnd } | undefined;
  #endedBy: string | undefined;
  /** The hub says that the prompt has not gone to the agent yet. */
  #isQueued = false;

  constructor(api: HubApi, stream: HubStream, session: string, listener: RunListener) {
    this.#api = api;
    this.#stream = stream;
    this.#session = session;
    this.#listener = listener;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Settles when the hub has the prompt. */
  async start(text: string): Promise<void> {
    // Known before the prompt is sent: so the whole turn lies behind it, however fast it is.
    const { entries } = await this.#api.events(this.#session, { limit: TAIL });
    this.#costBefore = costSoFar(entries);
    const { seq, check } = entries.at(-1) ?? RECORD_START;
    const { id } = await this.#stream.prompt(this.#session, text);
    this.#promptId = id;
    this.#stream.watch(this.#session, (message) => this.#hear(message), { cursor: { seq, check } });
  }

  /** Stop the turn, or take the prompt back that waits for another's end; said again, leave it to the hub. */
  interrupt(): void {
    if (this.#state === 'over') return;
    if (this.#state === 'interrupting') return this.#over(RUN_CODE.interrupted);
    const stopped = this.#state === 'waiting' ? this.#takeBack() : this.#stream.interrupt(this.#session);
    this.#state = 'interrupting';
    this.#listener.onNote('stopping the turn; Ctrl-C again leaves');
    stopped.catch((error: unknown) => {
      // Whoever has left has cut the connection as well.
      if (this.#state === 'over') return;
      this.#listener.onNote(messageOf(error));
      this.#over(RUN_CODE.interrupted);
    });
  }

  async #takeBack(): Promise<void> {
    await this.#api.cancelPrompt(this.#session, this.#promptId);
    this.#over(RUN_CODE.interrupted);
  }

  #over(code: number): void {
    this.#state = 'over';
    this.#end(code);
  }

  #fail(why: string): void {
    if (this.#state === 'over') return;
    this.#listener.onNote(why);
    this.#over(RUN_CODE.failed);
  }

  #hear(message: StreamMessage): void {
    switch (message.type) {
      case 'sdk-message':
        return this.#entry(message);
      case 'preview':
        if (this.#isOurs && this.#previews.isFresh(message.message))
          this.#listener.onPreview(message.message);
        return undefined;
      case 'snapshot':
        return this.#snapshot(message);
      case 'session':
        return this.#checkBudget(message.session);
      case 'prompt':
        if (message.prompt.id === this.#promptId) this.#isQueued = message.prompt.state === 'waiting';
        return undefined;
      case 'permission':
        return this.#asked(message.permission);
      case 'exit':
        return this.#fail(this.#endOf(message));
      case 'activity':
        if (message.state === 'disconnected') this.#listener.onNote(AWAY);
        return undefined;
      case 'reset':
        return this.#fail('the hub was put back to an older state, which may lack this prompt');
      case 'removed':
        return this.#fail('the session was removed');
      case 'error':
        return this.#fail(message.message);
      default:
        return undefined;
    }
  }

  #snapshot({ first, last, activity, permissions, prompts, session }: SnapshotMessage): void {
    for (const permission of permissions) this.#asked(permission);
    const isQueued = prompts.some(({ id, state }) => id === this.#promptId && state === 'waiting');
    this.#isQueued = isQueued;
    this.#checkBudget(session);
    if (isQueued && (activity === 'active' || activity === 'asking'))
      this.#listener.onNote('another turn is running; the prompt waits for its end');
    if (activity === 'disconnected') this.#listener.onNote(AWAY);
    if (activity !== 'exited') return;
    const end = session.exit ?? { code: 0, signal: null };
    if (first > last) this.#fail(this.#endOf(end));
    else this.#lastWords = { seq: last, end };
  }

  /** Nobody knows when a prompt goes on that a budget holds: whoever waits for it here is told, and it is taken back. */
  #checkBudget({ budget }: Session): void {
    if (!this.#isQueued || this.#state !== 'waiting' || budget?.state !== 'reached') return;
    this.#state = 'interrupting';
    this.#listener.onNote(harmless(budget.message));
    const leave = (): void => this.#over(RUN_CODE.failed);
    this.#api.cancelPrompt(this.#session, this.#promptId).then(leave, leave);
  }

  /** Why there is no agent any more, and what brings it back. */
  #endOf({ stderr = '', ...exit }: AgentEnd): string {
    const words = harmless(exitWords(exit, this.#endedBy)).replace(/^The /, 'the ');
    const why = this.#endedBy === undefined ? stderr.trim() : '';
    const restart = commandHere(`sessions restart ${shortId(this.#session)}`);
    return `${words}; ${restart} starts it again${why ? `\n${why}` : ''}`;
  }

  #entry({ message, author, seq }: EntryMessage): void {
    if (isJsonObject(message)) {
      this.#endedBy = enderAfter(this.#endedBy, message, author);
      if (message.type === 'hub' && message.subtype === 'budget' && typeof message.message === 'string')
        this.#listener.onNote(harmless(message.message));
      if (this.#state === 'waiting' && message.uuid === this.#promptId) this.#begin();
      else if (this.#isOurs && (author?.by ?? 'agent') === 'agent' && isSdkMessage(message))
        this.#said(message);
    }
    if (seq === this.#lastWords?.seq) this.#fail(this.#endOf(this.#lastWords.end));
  }

  #asked(permission: PermissionRequest): void {
    if (this.#isOurs) this.#listener.onPermission(permission);
    else if (permission.state === 'open') this.#held.set(permission.requestId, permission);
    else this.#held.delete(permission.requestId);
  }

  #begin(): void {
    this.#state = 'running';
    for (const permission of this.#held.values()) this.#listener.onPermission(permission);
    this.#held.clear();
  }

  get #isOurs(): boolean {
    return this.#state === 'running' || this.#state === 'interrupting';
  }

  #said(message: SDKMessage): void {
    this.#listener.onMessage(message, this.#costBefore);
    if (message.type !== 'result') return;
    const isGood = message.subtype === 'success' && !message.is_error;
    if (this.#state === 'interrupting') this.#over(RUN_CODE.interrupted);
    else this.#over(isGood ? RUN_CODE.success : RUN_CODE.failed);
  }
}
