import { type LaunchSpec, pagesOf, type SessionState } from '@signalbox/protocol/hub';
import {
  agentSessionOf,
  type Conversation,
  isConversation,
  newConversation,
  replyIn,
  saidBefore,
} from '../launch/agent-session.ts';
import {
  ConversationInUseError,
  NotAPromptError,
  NotAReplyError,
  NothingToResumeError,
} from '../launch/launch-errors.ts';
import type { Launcher } from '../launch/launcher.ts';
import type { Device } from '../store/device.ts';
import type { Entry } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { permit } from './permit.ts';

/** States of a session whose agent runs, or may come back. */
const WITH_AGENT: readonly SessionState[] = [
  'starting',
  'active',
  'idle',
  'asking',
  'terminal',
  'disconnected',
];

/** What a {@link SessionConversations} works with. */
export interface SessionConversationsParts {
  store: Store;
  launcher: Launcher;
}

/** Which conversation the agent of a session is to go on with. Nobody else may have it open. */
export class SessionConversations {
  readonly #parts: SessionConversationsParts;

  constructor(parts: SessionConversationsParts) {
    this.#parts = parts;
  }

  /** The conversation that the last agent of a session had; the one that it was launched with when it said nothing. */
  async last(by: Device, id: string, spec: LaunchSpec): Promise<Conversation> {
    const said = await agentSessionOf(this.#parts.store.record, id);
    if (said === undefined) return this.asked(by, id, spec);
    await this.#assertFree(said, id);
    return { kind: 'resume', id: said, isFork: false };
  }

  /** Raises `CONVERSATION_IN_USE` when another agent has it open: in another session, or in a terminal of this machine. */
  async #assertFree(conversation: string, own: string): Promise<void> {
    const { store, launcher } = this.#parts;
    const pages = pagesOf((from) => store.sessions.list({ states: WITH_AGENT, ...from }));
    for await (const page of pages) {
      const other = page.find(({ id, agentSession }) => id !== own && agentSession === conversation);
      if (other) throw new ConversationInUseError(conversation, `session ${other.id}`);
    }
    const pid = await launcher.conversations?.holder(conversation);
    if (pid !== undefined)
      throw new ConversationInUseError(conversation, `process ${pid} of the hub's machine`);
  }

  /** The same where a new one was begun. */
  async said(id: string): Promise<Conversation> {
    const said = await agentSessionOf(this.#parts.store.record, id);
    if (said === undefined) return newConversation(id);
    await this.#assertFree(said, id);
    return { kind: 'resume', id: said, isFork: false };
  }

  /** A session of the hub stands for what its agent calls it; an agent's own may be anybody's. */
  async asked(
    by: Device,
    id: string,
    { resume, fork = false, before, after }: LaunchSpec,
  ): Promise<Conversation> {
    if (resume === undefined) return newConversation(id);
    const { store } = this.#parts;
    const isOfHub = (await store.sessions.get(resume)) !== undefined;
    if (isOfHub) permit(by, 'watch', resume);
    else permit(by, 'drive');
    if (before !== undefined) return this.#before(id, resume, before);
    if (after !== undefined) return this.#after(resume, after);
    const said = isOfHub ? await agentSessionOf(store.record, resume) : resume;
    if (!isConversation(said)) throw new NothingToResumeError(resume);
    if (!fork) await this.#assertFree(said, id);
    return { kind: 'resume', id: said, isFork: fork };
  }

  /** A copy of what was said before a prompt; before the first one that is nothing. Raises `NOT_A_PROMPT`. */
  async #before(id: string, session: string, seq: number): Promise<Conversation> {
    const entry = await this.#entry(session, seq);
    if (!entry || !isPrompt(entry)) throw new NotAPromptError(session, seq);
    const said = await saidBefore(this.#parts.store.record, session, seq);
    return said ? { kind: 'resume', id: said.conversation, isFork: true, at: said.at } : newConversation(id);
  }

  /** A copy of what was said up to a reply, with it. Raises `NOT_A_REPLY`. */
  async #after(session: string, seq: number): Promise<Conversation> {
    const entry = await this.#entry(session, seq);
    const said = entry && replyIn(entry);
    if (!said) throw new NotAReplyError(session, seq);
    return { kind: 'resume', id: said.conversation, isFork: true, at: said.at };
  }

  async #entry(session: string, seq: number): Promise<Entry | undefined> {
    const { record, sessions } = this.#parts.store;
    const known = await sessions.get(session);
    const [entry] = known ? (await record.window(session, seq, 1)).entries : [];
    return entry?.seq === seq ? entry : undefined;
  }
}

function isPrompt(entry: Entry): boolean {
  return entry.kind === 'line' && entry.author.by === 'person' && entry.line.head().type === 'user';
}
