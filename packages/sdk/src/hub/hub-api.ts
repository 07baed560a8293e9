import { isJsonObject, messageOf, parseJson, timeLimit } from '@signalbox/protocol';
import type {
  CreatedSession,
  EntryMessage,
  FolderTrust,
  LaunchableAgents,
  NewSession,
  PermissionRequest,
  PersonAnswer,
  Prompt,
  PromptContent,
  PromptDelivery,
  Session,
  SessionState,
} from '@signalbox/protocol/hub';
import { type AnswerBody, textOf } from './answer-text.ts';
import { HubRefusedError, HubUnreachableError } from './hub-errors.ts';

/** Where a hub is and who asks. A page of the hub has one part of its token, and the browser's cookie the other. */
export interface HubAddress {
  /** `http://host:port`; nothing for the hub that served the page. */
  url?: string;
  token?: string;
  /** For hubs that the platform's `fetch` does not trust, such as one with a certificate of its own. */
  fetch?: HubFetch;
}

/** As much of `fetch` as is used. */
export type HubFetch = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<{
  ok: boolean;
  status: number;
  /** Read up to a limit; where there is none, `text` is asked for all of it. */
  body?: AnswerBody | null;
  text: () => Promise<string>;
}>;

/** Which part of a list is wanted; `after` is the `next` of the page before. */
export interface PageQuery {
  after?: string;
  limit?: number;
}

/** A part of a list; without `next` it is the last. */
export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** Whose token it is, and what it is good for. */
export interface HubDevice {
  id: string;
  person: string;
  name: string;
  scope: 'watch' | 'approve' | 'drive' | 'admin';
  /** Good for this session only. */
  session: string | null;
}

/** A device as those see it who may sign others in. Times are milliseconds since 1970. */
export interface KnownDevice extends HubDevice {
  createdAt: number;
  lastSeenAt: number | null;
  revokedAt: number | null;
  expiresAt: number | null;
}

/** A part of a session's record. */
export interface EventWindow {
  epoch: string;
  last: number;
  entries: EntryMessage[];
}

/** How long a hub may take to answer; an agent that is asked something may take a minute of it. */
const ANSWER_MS = 90_000;

type Query = Record<string, string | number | undefined>;

/** A hub's REST interface. What is refused raises `HUB_REFUSED`, and no answer at all `HUB_UNREACHABLE`. */
export class HubApi {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #fetch: HubFetch;
  readonly #answerMs: number;
  readonly #answerBytes: number | undefined;

  constructor(
    { url = '', token, fetch: ask = (path, request) => fetch(path, request) }: HubAddress = {},
    { answerMs = ANSWER_MS, answerBytes }: { answerMs?: number; answerBytes?: number } = {},
  ) {
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
    this.#fetch = ask;
    this.#answerMs = answerMs;
    this.#answerBytes = answerBytes;
  }

  me(): Promise<HubDevice> {
    return this.call('GET', '/api/me');
  }

  /** Revoke the token that is used here. */
  signOut(): Promise<unknown> {
    return this.call('POST', '/api/sign-out');
  }

  agents(): Promise<LaunchableAgents> {
    return this.call('GET', '/api/agents');
  }

  /** Newest first. */
  sessions(query: PageQuery & { state?: SessionState } = {}): Promise<Page<Session>> {
    return this.call('GET', withQuery('/api/sessions', { ...query }));
  }

  session(id: string): Promise<Session> {
    return this.call('GET', sessionPath(id));
  }

  /** With `launch` the hub starts an agent; without it, an agent may dial in with the token that comes back. */
  createSession(session: NewSession): Promise<CreatedSession> {
    return this.call('POST', '/api/sessions', session);
  }

  /** End the session's agent. */
  stop(id: string): Promise<unknown> {
    return this.call('POST', `${sessionPath(id)}/stop`, {});
  }

  /** Start the session's agent again, where its conversation ended. */
  restart(id: string): Promise<unknown> {
    return this.call('POST', `${sessionPath(id)}/restart`, {});
  }

  /** Forget the session and its record; refused while its agent is there. */
  remove(id: string): Promise<unknown> {
    return this.call('DELETE', sessionPath(id));
  }

  /** The record's tail, or from a number on, or before a number. */
  events(id: string, query: { from?: number; before?: number; limit?: number } = {}): Promise<EventWindow> {
    return this.call('GET', withQuery(`${sessionPath(id)}/events`, query));
  }

  /** Settles when the prompt is durable; sent again with its client id, it is the same one. */
  prompt(
    id: string,
    prompt: { clientId: string; content: PromptContent; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    return this.call('POST', `${sessionPath(id)}/prompts`, prompt);
  }

  editPrompt(
    id: string,
    prompt: string,
    change: { content?: PromptContent; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    return this.call('PATCH', `${sessionPath(id)}/prompts/${encodeURIComponent(prompt)}`, change);
  }

  /** Prompts that have not arrived at the agent, in their order. */
  async waitingPrompts(id: string): Promise<Prompt[]> {
    const { items } = await this.call<{ items: Prompt[] }>('GET', `${sessionPath(id)}/prompts`);
    return items;
  }

  cancelPrompt(id: string, prompt: string): Promise<Prompt> {
    return this.call('DELETE', `${sessionPath(id)}/prompts/${encodeURIComponent(prompt)}`);
  }

  /** What agents ask and nobody has answered, oldest first. */
  permissions(query: PageQuery & { session?: string } = {}): Promise<Page<PermissionRequest>> {
    return this.call('GET', withQuery('/api/permissions', { ...query }));
  }

  /** The first answer wins; whoever comes later gets it back. */
  answer(
    id: string,
    request: string,
    answer: PersonAnswer,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    return this.call('POST', `${sessionPath(id)}/permissions/${encodeURIComponent(request)}/answer`, answer);
  }

  /** A link that signs another device in, once. */
  createSignInLink(
    grant: Partial<Pick<HubDevice, 'person' | 'name' | 'scope'>> = {},
  ): Promise<{ url: string }> {
    return this.call('POST', '/api/sign-in-links', grant);
  }

  /** Whether the person of the hub's machine trusts a folder of it. */
  async lookAtFolder(folder: string): Promise<FolderTrust | undefined> {
    const { asked } = await this.call<{ asked?: FolderTrust }>(
      'GET',
      `/api/trusted-folders?folder=${encodeURIComponent(folder)}`,
    );
    return asked;
  }

  /** Let the files of a folder speak for the person, from the next start of an agent in it. */
  trustFolder(folder: string): Promise<FolderTrust> {
    return this.call('POST', '/api/trusted-folders', { folder });
  }

  /** Whether the folder of a session is trusted; null where the hub does not know. */
  async trustOf(session: string): Promise<FolderTrust | null> {
    const { trust } = await this.call<{ trust: FolderTrust | null }>('GET', `${sessionPath(session)}/trust`);
    return trust;
  }

  /** The devices of people, those that were signed out included. */
  devices(query: PageQuery = {}): Promise<Page<KnownDevice>> {
    return this.call('GET', withQuery('/api/devices', { ...query, kind: 'person' }));
  }

  /** Sign a device out for good. */
  revokeDevice(id: string): Promise<KnownDevice> {
    return this.call('DELETE', `/api/devices/${encodeURIComponent(id)}`);
  }

  /** Any request of the API. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Awaited<ReturnType<HubFetch>>;
    const patience = new AbortController();
    // It must keep the process alive: Node's fetch hangs, and holds nothing open, when a proxy drops its connection at once.
    const timer = setTimeout(() => patience.abort(), this.#answerMs);
    try {
      response = await this.#fetch(this.#url + path, {
        method,
        headers,
        signal: AbortSignal.any([patience.signal, timeLimit(this.#answerMs)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new HubUnreachableError(this.#url || 'this address', error);
    } finally {
      clearTimeout(timer);
    }
    const answer = await answerIn(response, this.#answerBytes);
    if (!response.ok) throw refusal(response.status, answer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's description says what it answers
    return answer as Answer;
  }
}

async function answerIn(response: Awaited<ReturnType<HubFetch>>, most?: number): Promise<unknown> {
  const text = await textOf(response, most);
  try {
    return parseJson(text);
  } catch (error) {
    // Something between us and the hub has answered in its place.
    throw new HubRefusedError(
      'ANSWER_UNREADABLE',
      `No answer of a hub: ${messageOf(error)}.`,
      response.status,
    );
  }
}

function refusal(status: number, answer: unknown): HubRefusedError {
  const { code, detail } = isJsonObject(answer) ? answer : {};
  return new HubRefusedError(
    typeof code === 'string' ? code : 'UNEXPECTED',
    typeof detail === 'string' ? detail : `The hub answered with ${status}.`,
    status,
  );
}

function sessionPath(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

function withQuery(path: string, query: Query): string {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return words.length === 0 ? path : `${path}?${words.join('&')}`;
}
