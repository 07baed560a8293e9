import { isJsonObject, messageOf, parseJson, timeLimit } from '@signalbox/protocol';
import type {
  ChangeBase,
  ChangeComment,
  CreatedSession,
  EntryMessage,
  FileDiff,
  FolderChangeList,
  FolderTrust,
  JsonRoute,
  KnownDevice,
  LaunchableAgents,
  LeftWorktree,
  Loop,
  LoopChange,
  NearbyRelay,
  NewLoop,
  NewSession,
  Page,
  PageRequest,
  PermissionRequest,
  PersonAnswer,
  Prompt,
  PromptContent,
  PromptDelivery,
  Repository,
  RouteAnswer,
  RouteRequest,
  Session,
  SessionState,
  SetupOutput,
  StoredConversation,
  Terminal,
  TerminalSize,
  Worktree,
} from '@signalbox/protocol/hub';
import type { LoopAct, LoopIteration, LoopState } from '@signalbox/protocol/loop';
import { isAnswerOf } from './answer-shape.ts';
import { type AnswerBody, textOf } from './answer-text.ts';
import { HubRefusedError, HubUnreachableError } from './hub-errors.ts';
import { withParams, withQuery } from './route-path.ts';

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

/** Which part of a list is wanted. */
export type PageQuery = PageRequest;

/** Whose token it is, and what it is good for. */
export type HubDevice = Pick<KnownDevice, 'id' | 'person' | 'name' | 'scope' | 'session'>;

/** A part of a session's record. */
export interface EventWindow {
  last: number;
  entries: EntryMessage[];
}

/** A request to a route, whichever it is. */
interface AnyRequest {
  params?: Readonly<Record<string, string>> | undefined;
  query?: unknown;
  body?: unknown;
}

/** How long a hub may take to answer; an agent that is asked something may take a minute of it. */
const ANSWER_MS = 90_000;

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
    return this.ask('GET /api/me');
  }

  /** Revoke the token that is used here. */
  signOut(): Promise<unknown> {
    return this.ask('POST /api/sign-out');
  }

  agents(): Promise<LaunchableAgents> {
    return this.ask('GET /api/agents');
  }

  /** Newest first. */
  sessions(query: PageQuery & { state?: SessionState } = {}): Promise<Page<Session>> {
    return this.ask('GET /api/sessions', { query });
  }

  session(id: string): Promise<Session> {
    return this.ask('GET /api/sessions/{session}', { params: { session: id } });
  }

  /** With `launch` the hub starts an agent; without it, an agent may dial in with the token that comes back. */
  createSession(session: NewSession): Promise<CreatedSession> {
    return this.ask('POST /api/sessions', { body: session });
  }

  /** Give the session another title. */
  rename(id: string, title: string): Promise<Session> {
    return this.ask('PATCH /api/sessions/{session}', { params: { session: id }, body: { title } });
  }

  /** End the session's agent. */
  stop(id: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/stop', { params: { session: id } });
  }

  /** Start the session's agent again, where its conversation ended. */
  restart(id: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/restart', { params: { session: id } });
  }

  /** Forget the session and its record; refused while its agent is there. Says what became of its worktree. */
  remove(id: string): Promise<RouteAnswer<'DELETE /api/sessions/{session}'>> {
    return this.ask('DELETE /api/sessions/{session}', { params: { session: id } });
  }

  /** The record's tail, or from a number on, or before a number. */
  events(id: string, query: { from?: number; before?: number; limit?: number } = {}): Promise<EventWindow> {
    return this.ask('GET /api/sessions/{session}/events', { params: { session: id }, query });
  }

  /** Settles when the prompt is durable; sent again with its client id, it is the same one. */
  prompt(
    id: string,
    prompt: { clientId: string; content: PromptContent; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    return this.ask('POST /api/sessions/{session}/prompts', { params: { session: id }, body: prompt });
  }

  editPrompt(
    id: string,
    prompt: string,
    change: { content?: PromptContent; delivery?: PromptDelivery },
  ): Promise<Prompt> {
    return this.ask('PATCH /api/sessions/{session}/prompts/{prompt}', {
      params: { session: id, prompt },
      body: change,
    });
  }

  /** Prompts that have not arrived at the agent, in their order. */
  async waitingPrompts(id: string): Promise<Prompt[]> {
    return (await this.ask('GET /api/sessions/{session}/prompts', { params: { session: id } })).items;
  }

  cancelPrompt(id: string, prompt: string): Promise<Prompt> {
    return this.ask('DELETE /api/sessions/{session}/prompts/{prompt}', { params: { session: id, prompt } });
  }

  /** What agents ask and nobody has answered, oldest first. */
  permissions(query: PageQuery & { session?: string } = {}): Promise<Page<PermissionRequest>> {
    return this.ask('GET /api/permissions', { query });
  }

  /** The first answer wins; whoever comes later gets it back. */
  answer(
    id: string,
    request: string,
    answer: PersonAnswer,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    return this.ask('POST /api/sessions/{session}/permissions/{request}/answer', {
      params: { session: id, request },
      body: answer,
    });
  }

  /** Run an agent again and again until a condition comes. */
  createLoop(loop: NewLoop): Promise<Loop> {
    return this.ask('POST /api/loops', { body: loop });
  }

  /** Newest first. */
  loops(query: PageQuery & { state?: LoopState } = {}): Promise<Page<Loop>> {
    return this.ask('GET /api/loops', { query });
  }

  loop(id: string): Promise<Loop> {
    return this.ask('GET /api/loops/{loop}', { params: { loop: id } });
  }

  /** What the iterations of a loop did, newest first. */
  loopIterations(id: string, query: PageQuery = {}): Promise<Page<LoopIteration>> {
    return this.ask('GET /api/loops/{loop}/iterations', { params: { loop: id }, query });
  }

  /** With the `version` that was seen, refused when somebody else has changed it since. */
  editLoop(id: string, change: LoopChange): Promise<Loop> {
    return this.ask('PATCH /api/loops/{loop}', { params: { loop: id }, body: change });
  }

  /** Pause a loop after its iteration, resume it, or stop it with the turn that runs. */
  actOnLoop(id: string, act: LoopAct): Promise<Loop> {
    return this.ask(`POST /api/loops/{loop}/${act}`, { params: { loop: id } });
  }

  /** Forget a loop that has ended; its sessions stay. */
  removeLoop(id: string): Promise<unknown> {
    return this.ask('DELETE /api/loops/{loop}', { params: { loop: id } });
  }

  /** A link that signs another device in, once. */
  createSignInLink(
    grant: Partial<Pick<HubDevice, 'person' | 'name' | 'scope'>> = {},
  ): Promise<{ url: string }> {
    return this.ask('POST /api/sign-in-links', { body: grant });
  }

  /** Conversations that agents left on the hub's machine, the newest first: all, or those of a folder's repository. */
  conversations(query: { folder?: string; limit?: number } = {}): Promise<{ items: StoredConversation[] }> {
    return this.ask('GET /api/conversations', { query });
  }

  /** Whether the person of the hub's machine trusts a folder of it. */
  async lookAtFolder(folder: string): Promise<FolderTrust | undefined> {
    return (await this.ask('GET /api/trusted-folders', { query: { folder } })).asked;
  }

  /** Relays of others on the hub's machine. */
  async nearby(): Promise<NearbyRelay[]> {
    return (await this.ask('GET /api/nearby')).items;
  }

  /** Take part in one of them as a frontend: its agent is a session of the hub from then on. */
  joinRelay(port: number, agent?: string): Promise<Session> {
    return this.ask('POST /api/nearby', { body: { port, ...(agent === undefined ? {} : { agent }) } });
  }

  /** Let the files of a folder speak for the person, from the next start of an agent in it. */
  trustFolder(folder: string): Promise<FolderTrust> {
    return this.ask('POST /api/trusted-folders', { body: { folder } });
  }

  /** Whether the folder of a session is trusted; null where the hub does not know. */
  async trustOf(session: string): Promise<FolderTrust | null> {
    return (await this.ask('GET /api/sessions/{session}/trust', { params: { session } })).trust;
  }

  /** The terminals of a session, in the order in which they were started. */
  async terminals(session: string): Promise<Terminal[]> {
    return (await this.ask('GET /api/sessions/{session}/terminals', { params: { session } })).items;
  }

  /** A shell in the session's folder, on the machine of the hub. */
  startTerminal(session: string, size: Partial<TerminalSize> = {}): Promise<Terminal> {
    return this.ask('POST /api/sessions/{session}/terminals', { params: { session }, body: size });
  }

  /** End a terminal with all that runs in it, and forget what it wrote. */
  endTerminal(session: string, number: number): Promise<Terminal> {
    const params = { session, terminal: String(number) };
    return this.ask('DELETE /api/sessions/{session}/terminals/{terminal}', { params });
  }

  /** The files of the session's folder that differ from the last commit, or from something else. */
  changes(session: string, query: { base?: ChangeBase; branch?: string } = {}): Promise<FolderChangeList> {
    return this.ask('GET /api/sessions/{session}/changes', { params: { session }, query });
  }

  /** How one of these files differs. */
  fileDiff(
    session: string,
    query: { path: string; oldPath?: string; base?: ChangeBase; branch?: string; context?: number },
  ): Promise<FileDiff> {
    return this.ask('GET /api/sessions/{session}/changes/diff', { params: { session }, query });
  }

  /** Branches that the files can be compared with, those that were committed to last first. */
  branches(session: string): Promise<{ items: string[]; isCut: boolean }> {
    return this.ask('GET /api/sessions/{session}/changes/branches', { params: { session } });
  }

  /** The repository that a folder of the hub's machine is in. */
  repository(folder: string): Promise<Repository> {
    return this.ask('GET /api/repositories', { query: { folder } });
  }

  /** Have a repository's set-up run in new worktrees, as long as it is exactly this text. */
  trustSetup(folder: string, text: string): Promise<Repository> {
    return this.ask('POST /api/trusted-setups', { body: { folder, text } });
  }

  /** What the set-up command of a session's worktree said. */
  setupOutput(session: string): Promise<SetupOutput> {
    return this.ask('GET /api/sessions/{session}/setup', { params: { session } });
  }

  /** The worktrees that sessions were given, and why each would stay. */
  async worktrees(): Promise<Worktree[]> {
    return (await this.ask('GET /api/worktrees')).items;
  }

  /** Remove worktrees without a session of which nothing would be lost; says what became of each. */
  async sweepWorktrees(): Promise<LeftWorktree[]> {
    return (await this.ask('POST /api/worktrees/sweep')).items;
  }

  /** Remove a worktree without a session, with what is changed in it; a branch with commits of its own stays. */
  removeWorktree(repository: string, slug: string): Promise<LeftWorktree> {
    return this.ask('DELETE /api/worktrees/{repository}/{slug}', { params: { repository, slug } });
  }

  /** Have files of the session's folder in the next commit as they are now. */
  stage(session: string, paths: string[]): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/stage', { params: { session }, body: { paths } });
  }

  /** Have files in the next commit as they are in the last one. */
  unstage(session: string, paths: string[]): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/unstage', { params: { session }, body: { paths } });
  }

  /** Make files what they are in the last commit; what comes back undoes it. */
  discard(session: string, paths: string[]): Promise<{ discard: string }> {
    return this.ask('POST /api/sessions/{session}/changes/discard', { params: { session }, body: { paths } });
  }

  /** Give back what was discarded; refused where somebody has changed it since. */
  undoDiscard(session: string, discard: string): Promise<unknown> {
    return this.ask('POST /api/sessions/{session}/changes/undo', { params: { session }, body: { discard } });
  }

  /** Commit what is staged. Hooks of the repository are not run, and nothing is pushed. */
  commit(session: string, message: string): Promise<{ commit: string }> {
    return this.ask('POST /api/sessions/{session}/changes/commit', {
      params: { session },
      body: { message },
    });
  }

  /**
   * Go on with the conversation in a terminal, on the agent's own screen, or back. While a turn runs, the answer says that it is on
   * its way (`to-…`).
   */
  changeView(
    session: string,
    view: 'sdk' | 'terminal',
    options: Partial<TerminalSize> & { now?: boolean } = {},
  ): Promise<Session> {
    const body = { ...options, view };
    return this.ask('POST /api/sessions/{session}/view', { params: { session }, body });
  }

  /** Comments on changed lines that were not sent yet, and whether they still fit. */
  async changeComments(session: string): Promise<ChangeComment[]> {
    return (await this.ask('GET /api/sessions/{session}/changes/comments', { params: { session } })).items;
  }

  /** A comment on changed lines, which waits to be sent. */
  addChangeComment(
    session: string,
    comment: Pick<ChangeComment, 'path' | 'side' | 'line' | 'quote' | 'text'> & {
      base?: ChangeBase;
      branch?: string;
    },
  ): Promise<ChangeComment> {
    return this.ask('POST /api/sessions/{session}/changes/comments', { params: { session }, body: comment });
  }

  removeChangeComment(session: string, comment: string): Promise<unknown> {
    const params = { session, comment };
    return this.ask('DELETE /api/sessions/{session}/changes/comments/{comment}', { params });
  }

  /** Send all comments to the agent as one prompt; sent again with its client id, it is the same one. */
  sendChangeComments(session: string, clientId: string): Promise<Prompt> {
    return this.ask('POST /api/sessions/{session}/changes/comments/send', {
      params: { session },
      body: { clientId },
    });
  }

  /** The devices of people, those that were signed out included. */
  devices(query: PageQuery = {}): Promise<Page<KnownDevice>> {
    return this.ask('GET /api/devices', { query: { ...query, kind: 'person' } });
  }

  /** Sign a device out for good. */
  revokeDevice(id: string): Promise<KnownDevice> {
    return this.ask('DELETE /api/devices/{device}', { params: { device: id } });
  }

  /** Any route of the API, by its method and path. */
  async ask<Key extends JsonRoute>(
    key: Key,
    ...[request]: Partial<RouteRequest<Key>> extends RouteRequest<Key>
      ? [RouteRequest<Key>?]
      : [RouteRequest<Key>]
  ): Promise<RouteAnswer<Key>> {
    const { params, query, body }: AnyRequest = request ?? {};
    const [method = '', route = ''] = key.split(' ');
    const path = withQuery(withParams(route, params ?? {}), isJsonObject(query) ? query : {});
    const answer = await this.call<RouteAnswer<Key>>(method, path, body);
    if (isAnswerOf(key, answer)) return answer;
    throw new HubRefusedError('ANSWER_UNREADABLE', `No answer of a hub: ${path} lacks what hubs say there.`);
  }

  /** Any request of the API. What it answers is not looked at: it is what the description of the API says, if a hub answers. */
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
