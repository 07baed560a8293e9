import { randomUUID } from 'node:crypto';
import {
  type ControlRequestBody,
  type JsonObject,
  parseHostMessage,
  type RequestOptions,
} from '@signalbox/protocol';
import type {
  PermissionRequest,
  PersonAnswer,
  Prompt,
  PromptContent,
  PromptDelivery,
  Session,
  SessionFacts,
  SessionState,
} from '@signalbox/protocol/hub';
import { AskChangeError } from '../asks/ask-errors.ts';
import { asksNobody, isChange } from '../asks/person-answer.ts';
import type { OpenSockets } from '../auth/open-sockets.ts';
import { agentGrant, authorOf, permit } from '../auth/permit.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { type Log, SILENT_LOG } from '../log/log.ts';
import type { AuditEntry } from '../store/audit.ts';
import {
  type Admission,
  type Device,
  type DeviceGrant,
  type DeviceKind,
  includesScope,
} from '../store/device.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { Window } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { RecordNotFoundError } from '../store/store-errors.ts';
import { scopeForControl, subjectOfControl } from './control-request.ts';
import { transcriptOf } from './transcript.ts';

/** How long a sign-in link is good. */
export const LINK_LIFETIME_MS = 15 * 60_000;

interface WindowRequest {
  from?: number;
  before?: number;
  after_uuid?: string;
  limit?: number;
}

/** All that people can do with the hub, whatever way they come: who may do it is decided here, once. */
export class Desk {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #sockets: OpenSockets;
  readonly #log: Log;

  constructor(store: Store, sessions: LiveSessions, sockets: OpenSockets, log: Log = SILENT_LOG) {
    this.#store = store;
    this.#sessions = sessions;
    this.#sockets = sockets;
    this.#log = log;
  }

  async listSessions(
    by: Device,
    request: PageRequest & { states?: readonly SessionState[] },
  ): Promise<Page<Session>> {
    if (by.session !== null) return { items: [await this.session(by, by.session)] };
    permit(by, 'watch');
    return this.#store.sessions.list(request);
  }

  async session(by: Device, id: string): Promise<Session> {
    return (await this.live(by, id)).session;
  }

  /** The session itself, for one who may watch it. */
  async live(by: Device, id: string): Promise<LiveSession> {
    permit(by, 'watch', id);
    return this.#sessions.get(id);
  }

  /** A place for an agent, and the token that the agent takes it with. `begunAt` is that of a request that comes again. */
  async createSession(
    by: Device,
    { id = randomUUID(), ...facts }: { id?: string } & Partial<Omit<SessionFacts, 'state' | 'exit'>>,
    begunAt?: number,
  ): Promise<{ session: Session; token: string }> {
    permit(by, 'drive', id);
    const { session } = await this.#sessions.create(id, { ...facts, state: 'disconnected' }, begunAt);
    const { token } = await this.#store.devices.add(agentGrant(id));
    await this.decided(by, 'create session', id);
    return { session, token };
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

  async rename(by: Device, id: string, title: string): Promise<Session> {
    permit(by, 'drive', id);
    const live = await this.#sessions.get(id);
    await this.#store.sessions.update(id, { title });
    const renamed = live.note({ title });
    await this.#said(by, 'rename', id, title);
    return renamed;
  }

  /** The conversation in the form that agents resume from. */
  async transcript(by: Device, id: string): Promise<AsyncIterable<Uint8Array>> {
    await this.live(by, id);
    return transcriptOf(this.#store.record, id);
  }

  async prompts(by: Device, session: string): Promise<Prompt[]> {
    await this.live(by, session);
    return this.#store.inbox.list(session);
  }

  /** Settles when the prompt is durable. The same client id names the same prompt. */
  async prompt(
    by: Device,
    session: string,
    { clientId, content, delivery }: { clientId: string; content: unknown; delivery: PromptDelivery },
  ): Promise<Prompt> {
    permit(by, 'drive', session);
    const live = await this.#sessions.get(session);
    return live.admit({ clientId, author: authorOf(by), content: contentOf(content), delivery });
  }

  /** Whoever changes the words of a prompt answers for them from then on. */
  async editPrompt(
    by: Device,
    session: string,
    id: string,
    { content, delivery }: { content?: unknown; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    const live = await this.#withPrompt(by, session, id);
    const change = {
      ...(content === undefined ? {} : { content: contentOf(content), author: authorOf(by) }),
      ...(delivery === undefined ? {} : { delivery }),
    };
    const edited = live.promptChanged(await this.#store.inbox.edit(id, change));
    await this.decided(by, 'edit prompt', session, id);
    return edited;
  }

  async cancelPrompt(by: Device, session: string, id: string): Promise<Prompt> {
    const live = await this.#withPrompt(by, session, id);
    const cancelled = live.promptChanged(await this.#store.inbox.cancel(id));
    await this.decided(by, 'cancel prompt', session, id);
    return cancelled;
  }

  async openPermissions(
    by: Device,
    { session = by.session ?? undefined, ...page }: PageRequest & { session?: string | undefined },
  ): Promise<Page<PermissionRequest>> {
    if (session === undefined) permit(by, 'watch');
    else await this.live(by, session);
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
    const live = await this.#sessions.get(session);
    const outcome = await live.asks.answer(requestId, answer, authorOf(by));
    if (outcome.isFirst) this.#tell(by, answer.behavior, session, requestId);
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
    const live = await this.#sessions.get(session);
    await this.#said(by, request.subtype, session, subjectOfControl(request));
    return live.request(request, options);
  }

  async devices(by: Device, request: PageRequest & { kind?: DeviceKind }): Promise<Page<Device>> {
    permit(by, 'admin');
    return this.#store.devices.list(request);
  }

  async addDevice(by: Device, grant: DeviceGrant): Promise<Admission> {
    permit(by, 'admin');
    const admission = await this.#store.devices.add(within(grant, by));
    await this.decided(by, 'add device', grant.session, admission.device.id);
    return admission;
  }

  /** The token is refused from now on, and all that it holds open is cut. */
  async revoke(by: Device, id: string): Promise<Device> {
    if (by.id !== id) permit(by, 'admin');
    return this.#revoke(by, id);
  }

  /** Tokens of the agents of a session that is no more. */
  async revokeAgents(by: Device, session: string): Promise<void> {
    permit(by, 'admin', session);
    let after: string | undefined;
    do {
      const page = await this.#store.devices.list({ kind: 'agent', session, ...(after ? { after } : {}) });
      for (const { id, revokedAt } of page.items) if (revokedAt === null) await this.#revoke(by, id);
      after = page.next;
    } while (after !== undefined);
  }

  /** The secret of a link that brings one device in, once. */
  async createLink(by: Device, grant: DeviceGrant): Promise<string> {
    permit(by, 'admin');
    await this.decided(by, 'create sign-in link', grant.session);
    return this.#store.devices.createLink(within(grant, by), LINK_LIFETIME_MS, by.id);
  }

  async audit(by: Device, request: PageRequest & { session?: string }): Promise<Page<AuditEntry>> {
    permit(by, 'admin', request.session);
    return this.#store.audit.list(request);
  }

  async #revoke(by: Device, id: string): Promise<Device> {
    const device = await this.#store.devices.revoke(id);
    this.#sockets.cut(id);
    await this.decided(by, 'revoke device', device.session, id);
    return device;
  }

  async #withPrompt(by: Device, session: string, id: string): Promise<LiveSession> {
    permit(by, 'drive', session);
    const prompt = await this.#store.inbox.get(id);
    // A prompt of another session is none that this token need know of.
    if (prompt?.session !== session) throw new RecordNotFoundError(`prompt ${id}`);
    return this.#sessions.get(session);
  }

  /** Keep in the audit log what somebody has decided. */
  async decided(
    by: Device,
    what: string,
    session: string | null,
    subject: string | null = null,
  ): Promise<void> {
    await this.#store.audit.add({ session, subject, author: authorOf(by), what, why: null });
    this.#tell(by, what, session, subject);
  }

  /** The same where the subject is words of the person, which are not for the log. */
  async #said(by: Device, what: string, session: string, subject: string | null): Promise<void> {
    await this.#store.audit.add({ session, subject, author: authorOf(by), what, why: null });
    this.#tell(by, what, session, null);
  }

  #tell(by: Device, what: string, session: string | null, subject: string | null): void {
    this.#log.decision(authorOf(by), { what, session, subject });
  }
}

/** Raises `MESSAGE_INVALID` for what no agent would take as a prompt. */
function contentOf(content: unknown): PromptContent {
  const message = parseHostMessage({ type: 'user', message: { role: 'user', content }, session_id: '' });
  if (message.type !== 'user') throw new TypeError('a prompt is a user message');
  return message.message.content;
}

/** Whoever is let in stays no longer than the one who lets them in. */
function within(grant: DeviceGrant, { expiresAt: end }: Device): DeviceGrant {
  return end === null ? grant : { ...grant, expiresAt: Math.min(grant.expiresAt ?? end, end) };
}
