import { randomUUID } from 'node:crypto';
import {
  type ControlRequestBody,
  type JsonObject,
  parseHostMessage,
  type RequestOptions,
  type WireLine,
} from '@signalbox/protocol';
import type {
  Page,
  PageRequest,
  PermissionRequest,
  PersonAnswer,
  Prompt,
  PromptContent,
  PromptDelivery,
  Session,
  SessionFacts,
  SessionState,
  UpdatePage,
} from '@signalbox/protocol/hub';
import { agentGrant, authorOf } from '../auth/identity.ts';
import { TerminalOnlyError } from '../launch/launch-errors.ts';
import { AskChangeError } from '../sessions/asks/ask-errors.ts';
import { asksNobody, isChange } from '../sessions/asks/person-answer.ts';
import type { LiveSession } from '../sessions/live-session.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { type Device, includesScope } from '../store/device.ts';
import type { Window } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { RecordNotFoundError } from '../store/store-errors.ts';
import { AgentInTerminalError } from '../views/view-errors.ts';
import {
  isDecision,
  recordedRequest,
  scopeForControl,
  scopeForLine,
  subjectOfControl,
} from './control-request.ts';
import type { Decisions } from './decisions.ts';
import type { LaunchService } from './launch-service.ts';
import { permit } from './permit.ts';
import { transcriptOf } from './transcript.ts';

interface WindowRequest {
  from?: number;
  before?: number;
  after_uuid?: string;
  limit?: number;
}

/** What people do in sessions, whatever way they come. */
export class SessionService {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #decisions: Decisions;
  readonly #launches: LaunchService;

  constructor(store: Store, sessions: LiveSessions, decisions: Decisions, launches: LaunchService) {
    this.#store = store;
    this.#sessions = sessions;
    this.#decisions = decisions;
    this.#launches = launches;
  }

  async listSessions(
    by: Device,
    request: PageRequest & { states?: readonly SessionState[] },
  ): Promise<Page<Session>> {
    if (by.session !== null) return { items: [await this.session(by, by.session)] };
    permit(by, 'watch');
    return this.#store.sessions.list(request);
  }

  /** Which sessions were updated after a position, for one who may watch all. */
  async updates(by: Device, { after = 0, limit }: { after?: number; limit?: number }): Promise<UpdatePage> {
    permit(by, 'watch');
    return this.#store.updates.after(after, limit);
  }

  async session(by: Device, id: string): Promise<Session> {
    return this.use(by, id, ({ session }) => session);
  }

  /** Use the session itself until `work` settles, as one who may watch it. */
  async use<Result>(
    by: Device,
    id: string,
    work: (live: LiveSession) => Promise<Result> | Result,
  ): Promise<Result> {
    permit(by, 'watch', id);
    return this.#sessions.use(id, work);
  }

  /** Tell of the sessions that one may see; returns the way to stop it. */
  watchAll(
    by: Device,
    { onSession, onRemoved }: { onSession: (session: Session) => void; onRemoved: (id: string) => void },
  ): () => void {
    const isSeen = (id: string): boolean => by.session === null || by.session === id;
    const stops = [
      this.#sessions.onSession((session) => {
        if (isSeen(session.id)) onSession(session);
      }),
      this.#sessions.onRemoved((id) => {
        if (isSeen(id)) onRemoved(id);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }

  /** All of them, for one who may watch all. */
  all(by: Device): LiveSession[] {
    permit(by, 'watch');
    return this.#sessions.all;
  }

  /** A place for an agent, and the token that the agent takes it with. `begunAt` is that of a request that comes again. */
  async createSession(
    by: Device,
    { id = randomUUID(), ...facts }: { id?: string } & Partial<Omit<SessionFacts, 'state' | 'exit'>>,
    begunAt?: number,
  ): Promise<{ session: Session; token: string }> {
    permit(by, 'drive', id);
    const known = await this.#sessions.madeSince(id, begunAt);
    const create = {
      kind: 'create-session',
      session: id,
      facts: { ...facts, state: 'disconnected' },
    } as const;
    const [{ token }, created] = await this.#decisions.keep(
      authorOf(by),
      { what: 'create session', session: id },
      { kind: 'add-device', grant: agentGrant(id) },
      ...(known ? [] : [create]),
    );
    if (created) this.#sessions.adopt(created);
    return { session: await this.session(by, id), token };
  }

  async events(
    by: Device,
    id: string,
    { from, before, after_uuid: uuid, limit }: WindowRequest,
  ): Promise<Window> {
    permit(by, 'watch', id);
    const { record } = this.#store;
    if (uuid !== undefined) {
      const seq = await record.locate(id, uuid);
      if (seq === undefined) throw new RecordNotFoundError(`message ${uuid}`);
      return record.window(id, seq + 1, limit);
    }
    if (from !== undefined) return record.window(id, from, limit);
    return before === undefined ? record.tail(id, limit) : record.windowBefore(id, before, limit);
  }

  /** Give it another title, put it away, or take it out again. */
  async change(
    by: Device,
    id: string,
    { title, isArchived }: { title?: string; isArchived?: boolean },
  ): Promise<Session> {
    permit(by, 'drive', id);
    return this.#sessions.use(id, async (live) => {
      // To put a session away is no news of it. A title is, and `note` says so.
      const keep = (what: string, facts: Partial<SessionFacts>, subject: string | null = null) =>
        this.#decisions.keep(
          authorOf(by),
          { what, session: id, subject, isPrivate: true },
          { kind: 'update-session', session: id, facts, updatedAt: live.session.updatedAt },
        );
      if (title !== undefined) {
        await keep('rename', { title }, title);
        live.note({ title });
      }
      if (isArchived !== undefined && isArchived !== (live.session.archivedAt !== null)) {
        const archivedAt = isArchived ? Date.now() : null;
        await keep(isArchived ? 'archive' : 'unarchive', { archivedAt });
        live.noteQuietly({ archivedAt });
      }
      return live.session;
    });
  }

  /** The conversation in the form that agents resume from. */
  async transcript(by: Device, id: string): Promise<AsyncIterable<Uint8Array>> {
    await this.#assertSeen(by, id);
    return transcriptOf(this.#store.record, id);
  }

  async prompts(by: Device, session: string): Promise<Prompt[]> {
    await this.#assertSeen(by, session);
    return this.#store.inbox.list(session);
  }

  /** Settles when the prompt is durable. The same client id names the same prompt. It starts an agent that has ended again. */
  async prompt(
    by: Device,
    session: string,
    { clientId, content, delivery }: { clientId: string; content: unknown; delivery: PromptDelivery },
  ): Promise<Prompt> {
    permit(by, 'drive', session);
    return this.#sessions.use(session, async (live) => {
      const { view } = live.session;
      if (view === 'terminal-only')
        throw new TerminalOnlyError(live.session.agent ?? session, 'it takes no prompts');
      // It would wait unseen for as long as somebody works there.
      if (view === 'terminal' || view === 'to-terminal') throw new AgentInTerminalError(session, view);
      const prompt = await live.admit({
        clientId,
        author: authorOf(by),
        content: contentOf(content),
        delivery,
      });
      if (prompt.state === 'waiting') await this.#launches.resumeFor(by, live);
      return prompt;
    });
  }

  /** Whoever changes the words of a prompt answers for them from then on. */
  async editPrompt(
    by: Device,
    session: string,
    id: string,
    { content, delivery, before }: { content?: unknown; delivery?: PromptDelivery; before?: string | null },
  ): Promise<Prompt> {
    await this.#assertPrompt(by, session, id);
    const change = {
      ...(content === undefined ? {} : { content: contentOf(content), author: authorOf(by) }),
      ...(delivery === undefined ? {} : { delivery }),
      ...(before === undefined ? {} : { before }),
    };
    const isMoved = before !== undefined && content === undefined && delivery === undefined;
    const [edited] = await this.#decisions.keep(
      authorOf(by),
      { what: isMoved ? 'move prompt' : 'edit prompt', session, subject: id },
      { kind: 'edit-prompt', id, change },
    );
    return this.#sessions.use(session, (live) => live.promptChanged(edited));
  }

  async cancelPrompt(by: Device, session: string, id: string): Promise<Prompt> {
    await this.#assertPrompt(by, session, id);
    const [cancelled] = await this.#decisions.keep(
      authorOf(by),
      { what: 'cancel prompt', session, subject: id },
      { kind: 'cancel-prompt', id },
    );
    return this.#sessions.use(session, (live) => live.promptChanged(cancelled));
  }

  async openPermissions(
    by: Device,
    { session = by.session ?? undefined, ...page }: PageRequest & { session?: string | undefined },
  ): Promise<Page<PermissionRequest>> {
    if (session === undefined) permit(by, 'watch');
    else await this.#assertSeen(by, session);
    return this.#store.permissions.listOpen({ ...page, ...(session === undefined ? {} : { session }) });
  }

  /** The first answer wins; whoever comes later gets it back. */
  async answer(
    by: Device,
    session: string,
    requestId: string,
    answer: PersonAnswer,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    permit(by, 'approve', session);
    // Another input, or a rule for later, is more than a yes.
    if (isChange(answer) && !includesScope(by.scope, 'drive')) throw new AskChangeError();
    if (asksNobody(answer)) permit(by, 'admin', session);
    const outcome = await this.#sessions.use(session, ({ asks }) =>
      asks.answer(requestId, answer, authorOf(by)),
    );
    if (outcome.isFirst)
      this.#decisions.tell(authorOf(by), { what: answer.behavior, session, subject: requestId });
    return outcome;
  }

  /** Ask the agent; every request is answered or fails. */
  async control(
    by: Device,
    session: string,
    request: ControlRequestBody,
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    permit(by, scopeForControl(request), session);
    const subject = subjectOfControl(request);
    return this.#sessions.use(session, async (live) => {
      if (isDecision(request))
        await this.#decisions.keep(authorOf(by), {
          what: request.subtype,
          session,
          subject,
          isPrivate: true,
        });
      const answer = await live.request(request, options);
      const told = recordedRequest(request);
      if (told) await live.mark({ subtype: 'request', request: told }, authorOf(by));
      return answer;
    });
  }

  /** A line that is neither a prompt nor a request goes to the agent as it was written. It is in no record: it may be a secret. */
  async passOn(by: Device, session: string, line: WireLine): Promise<void> {
    const { parsedType: type = '' } = line.head();
    permit(by, scopeForLine(type), session);
    const subject = type.slice(0, 100);
    await this.#sessions.use(session, async (live) => {
      await this.#decisions.keep(authorOf(by), { what: 'pass on', session, subject, isPrivate: true });
      await live.passOn(line);
    });
  }

  /** Raises `FORBIDDEN` or `STORE_SESSION_NOT_FOUND`. */
  async #assertSeen(by: Device, session: string): Promise<void> {
    permit(by, 'watch', session);
    await this.#sessions.known(session);
  }

  async #assertPrompt(by: Device, session: string, id: string): Promise<void> {
    permit(by, 'drive', session);
    // A prompt of another session is none that this token need know of.
    if ((await this.#store.inbox.sessionOf(id)) !== session) throw new RecordNotFoundError(`prompt ${id}`);
  }
}

/** Raises `MESSAGE_INVALID` for what no agent would take as a prompt. */
function contentOf(content: unknown): PromptContent {
  const message = parseHostMessage({ type: 'user', message: { role: 'user', content }, session_id: '' });
  if (message.type !== 'user') throw new TypeError('a prompt is a user message');
  return message.message.content;
}
