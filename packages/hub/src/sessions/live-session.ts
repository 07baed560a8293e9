import {
  type ControlRequestBody,
  isTooDeep,
  type JsonObject,
  LIMITS,
  type RequestOptions,
  WireLine,
} from '@signalbox/protocol';
import {
  type Author,
  type Cursor,
  type Prompt,
  RECORD_START,
  type Session,
  type SessionFacts,
  type SessionState,
} from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Holds } from '../base/holds.ts';
import { askNotice } from '../notices/notice-words.ts';
import { placeOf, type SessionPlace } from '../policy/session-place.ts';
import { type Change, changeOf, joinChanges } from '../store/change.ts';
import type { Effect } from '../store/commit.ts';
import type { NewPrompt } from '../store/prompt.ts';
import { cursorOn, type RecordedLine } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Dialler } from './agent/agent-connection.ts';
import type { AgentIdentity } from './agent/agent-identity.ts';
import type { AgentTransport } from './agent/agent-transport.ts';
import { beginArrival } from './agent-arrival.ts';
import { AgentListener } from './agent-listener.ts';
import { Asks } from './asks/asks.ts';
import type { RuleAnswer } from './asks/rule-answer.ts';
import { EndingNotices } from './ending-notices.ts';
import { Feed } from './feed.ts';
import { HeldTurns } from './held-turns.ts';
import { PromptDispatcher } from './inbox/prompt-dispatcher.ts';
import { type BegunConversation, moveAgent, type SessionFor } from './move-agent.ts';
import { Previews } from './previews.ts';
import { type MakeChange, Recorder } from './recorder.ts';
import { SessionActivity } from './session-activity.ts';
import { SessionAgent } from './session-agent.ts';
import type { SessionCallbacks } from './session-callbacks.ts';
import { isBridgeStart, lastPromptOf, modeIn, titleOf } from './session-news.ts';
import { SessionSpend } from './session-spend.ts';
import { SessionSummary } from './session-summary.ts';

/** How many entries are read to tell whether a turn is running. */
const TURN_WITHIN = 200;

/** What tells of spend. */
const SPENDING: ReadonlySet<string | undefined> = new Set(['assistant', 'result']);

const HUB: Author = { by: 'hub' };
const AGENT: Author = { by: 'agent' };

/** A session in use: its agent's connection, its record, its open questions, its prompts and its state. */
export class LiveSession {
  readonly feed: Feed;
  readonly previews = new Previews();
  readonly asks: Asks;
  readonly spend: SessionSpend;
  /** What budgets hold. */
  readonly turns: HeldTurns;
  readonly #store: Store;
  readonly #holds: Holds;
  readonly #callbacks: SessionCallbacks;
  readonly #agent: SessionAgent;
  readonly #listener: AgentListener;
  readonly #summary: SessionSummary;
  readonly #recorder: Recorder;
  readonly #dispatcher: PromptDispatcher;
  readonly #activity: SessionActivity;
  readonly #endings: EndingNotices;
  #isRemoved = false;
  #sessionFor: SessionFor | undefined;
  #place: SessionPlace;

  private constructor(
    store: Store,
    session: Session,
    cursor: Cursor,
    holds: Holds,
    callbacks: SessionCallbacks,
  ) {
    const { id } = session;
    const onTrouble = (error: unknown): void => callbacks.onTrouble(id, error);
    const watch = (work: Promise<unknown>): void => this.#watch(work);
    const deliver = (line: string): Promise<boolean> => this.#agent.deliver(line);
    this.#store = store;
    this.#place = placeOf(id, undefined);
    this.#holds = holds;
    this.#callbacks = callbacks;
    this.#agent = new SessionAgent(id, holds, {
      onLine: (line, position) => this.#keep(line, position),
      onConversation: (start, said, position) => this.#begin({ ...start, said, position }),
      // Lines that the agent has forgotten and nobody got: the record says so in their place.
      onGap: (gap) => this.noteInRecord({ subtype: 'gap', ...gap }),
      onState: (state) => {
        this.#summary.enter(this.activity);
        if (state !== 'ready') return;
        this.turns.stop();
        this.#dispatcher.call();
      },
      onArrival: (dialler) => beginArrival(arrival, dialler),
      onLeft: (leaving) => {
        if (leaving !== 'replaced') this.#summary.enter(leaving === 'farewell' ? 'exited' : 'disconnected');
      },
      settled: () => this.settled(),
    });
    this.feed = new Feed(id, cursor, holds, () => {
      if (callbacks.notices) this.#watch(callbacks.notices.release(id));
    });
    this.#endings = new EndingNotices(callbacks.notices, () => ({
      session: this.session,
      isWatched: this.isWatched,
    }));
    this.#summary = new SessionSummary(store.sessions, session, this.feed, {
      onSession: callbacks.onSession,
      watch,
      onExited: () => this.#watch(this.#expireAsks()),
    });
    this.#recorder = new Recorder(store, id, holds, {
      onRecorded: (entries) => this.#recorded(entries),
      onPreview: (line) => this.#previewed(line),
      isReplyOpen: () => this.previews.lines().length > 0,
      onSafe: (position) => this.#agent.acknowledge(position),
      onTrouble,
    });
    this.asks = new Asks(store, id, callbacks.askBudget, {
      record: (author, line, requestId, change) =>
        this.#recorder.said(author, WireLine.of(line), { change, answers: requestId }),
      deliver,
      folder: () => this.session.folder,
      // A turn that is about to be stopped goes on by nobody's rule.
      decide: (request) => (this.spend.isHeld ? undefined : callbacks.policy.decide(request, this.place)),
      notice: ({ requestId, request }) =>
        callbacks.notices?.noting(askNotice(this.session, requestId, request), this.isWatched),
      onChange: (permission) => {
        const mode = modeIn(permission.answer?.response);
        if (mode !== undefined && mode !== this.session.mode) this.#summary.learn({ mode });
        this.feed.message({ type: 'permission', session: id, permission });
        callbacks.onPermission(permission);
        this.#summary.enter(this.activity);
      },
      onRefused: (error) => this.#listener.noteUnread(error),
      watch,
    });
    this.spend = new SessionSpend(callbacks.ledger, {
      session: () => this.session,
      place: () => this.place,
      tell: (budget) => this.noteQuietly({ budget }),
    });
    this.#activity = new SessionActivity(this.#agent, this.asks, () => this.session);
    this.turns = new HeldTurns({
      spend: this.spend,
      agent: this.#agent,
      recorder: this.#recorder,
      endings: this.#endings,
      isTurnRunning: () => this.#activity.turn === 'running',
      onRoom: () => this.#dispatcher.call(),
      watch,
    });
    this.#listener = new AgentListener({
      agent: this.#agent,
      asks: this.asks,
      previews: this.previews,
      summary: this.#summary,
      endings: this.#endings,
      note: (note) => this.noteInRecord(note),
      watch,
    });
    const arrival = {
      agent: this.#agent,
      asks: this.asks,
      listener: this.#listener,
      onTurnLost: () => this.#activity.loseTurn(),
      watch,
      onTrouble,
    };
    this.#dispatcher = new PromptDispatcher(store.inbox, store.record, id, holds, {
      readiness: () => (this.spend.isHeld ? 'nothing' : this.#activity.readiness),
      record: ({ author }, line) => {
        this.spend.said(author, 'user');
        return this.#recorder.said(author, WireLine.of(line));
      },
      deliver,
      onChange: (prompt) => this.feed.message({ type: 'prompt', session: id, prompt }),
      onTrouble,
    });
  }

  /** Open a session from its stored record. */
  static async open(
    store: Store,
    session: Session,
    holds: Holds,
    callbacks: SessionCallbacks,
  ): Promise<LiveSession> {
    const { entries, last } = await store.record.tail(session.id, TURN_WITHIN);
    const newest = entries.at(-1);
    const cursor = newest ? cursorOn(newest) : RECORD_START;
    const live = new LiveSession(store, session, cursor, holds, callbacks);
    if (last > TURN_WITHIN) await live.agent.load(store.record, session.id);
    live.spend.load(await store.spend.meter(session.id));
    for (const entry of entries) {
      if (entry.kind !== 'line') continue;
      live.spend.said(entry.author, entry.line.head().type);
      live.#activity.hear(entry.author, entry.line.head().settleType());
      if (entry.author.by !== 'agent') continue;
      live.asks.hear(entry.line);
      live.agent.recall(entry.line);
      // Facts are stored after their line: a hub that was killed in between has the line alone.
      if (entry.time > live.session.updatedAt) live.#listener.learnFrom(entry.line, entry.time);
    }
    // A hub that waited for the end of a turn is no more, and nobody waits for it.
    if (session.view === 'to-terminal' && session.state !== 'terminal') live.note({ view: 'sdk' });
    live.#agent.recall(await store.record.position(session.id));
    await Promise.all([live.asks.load(), live.#dispatcher.load(), live.#learnPlace()]);
    live.spend.refresh();
    // What a rule decides that is newer than the question.
    if (live.asks.open.length > 0) live.#watch(live.asks.decideOpen());
    return live;
  }

  get id(): string {
    return this.session.id;
  }

  get session(): Session {
    return this.#summary.session;
  }

  /** Where its agent works: what the hub knows of it, and what the agent says. */
  get place(): SessionPlace {
    return { ...this.#place, claimed: this.session.folder };
  }

  /** Who its agent is, as far as that is known. */
  get agent(): AgentIdentity {
    return this.#agent.identity;
  }

  /** What it is doing; derived from the record and the connection only. */
  get activity(): SessionState {
    return this.#activity.state;
  }

  /** Why nothing that is said can be stored at the moment. */
  get trouble(): Recorder['trouble'] {
    return this.#recorder.trouble;
  }

  /** True while somebody looks at it. */
  get isWatched(): boolean {
    return this.feed.isWatched;
  }

  /** True while an agent is connected. */
  get isConnected(): boolean {
    return this.#agent.isConnected;
  }

  /** True if nothing can be stored in it any more, as it is. */
  get hasFailed(): boolean {
    return this.#recorder.hasFailed;
  }

  /** Keep it open until this settles, also when nobody else needs it. */
  hold<Result>(work: Promise<Result>): Promise<Result> {
    return this.#holds.during(work);
  }

  /**
   * Connect an agent that dials in, over its earlier link or a new one. Two processes never share a connection. Undefined when
   * the session is being removed, or was: ask for it again.
   */
  async connectAgent(dialler: Dialler, sessionFor?: SessionFor): Promise<AgentTransport | undefined> {
    await this.#agent.giveWayTo(dialler);
    await this.#learnPlace();
    if (this.#isRemoved) return undefined;
    // A session that was created ahead of its agent starts with the first one.
    if (this.#agent.state === 'empty' && this.feed.last === 0) this.#summary.enter('starting');
    this.#sessionFor = sessionFor;
    return this.#agent.connect(dialler, sessionFor !== undefined);
  }

  /** From now on no agent can connect: the session is being removed, or was. */
  beginRemoval(): void {
    this.#isRemoved = true;
  }

  /** It could not be removed. */
  endRemoval(): void {
    this.#isRemoved = false;
  }

  /** Take note of what somebody says about the session, also of an agent that cannot speak for itself. */
  note(facts: Partial<SessionFacts>): Session {
    this.#summary.learn(facts);
    if (facts.view) this.#dispatcher.call();
    return this.session;
  }

  /** The same of what is no news: the order of sessions stays. */
  noteQuietly(facts: Partial<SessionFacts>): void {
    this.#summary.learn(facts, this.session.updatedAt);
  }

  /** The record has something that the hub says of the session. Settles when it is durable. */
  mark(note: JsonObject, author: Author, change?: MakeChange): Promise<void> {
    return this.#recorder.said(author, WireLine.of(JSON.stringify({ type: 'hub', ...note })), { change });
  }

  /** The record says who ends the agent, ahead of its end: the code of its process does not. */
  noteStop(author: Author): void {
    this.#endings.expect();
    this.noteInRecord({ subtype: 'stop' }, author);
  }

  /** The record says why an agent was not started, where it has no bridge that would. */
  noteFailedStart({ code, message }: { code: string; message: string }): void {
    const told = this.#endings.failedStart(message);
    this.#watch(this.mark({ subtype: 'failed', code, message }, HUB, told));
  }

  /** Tell the agent to leave; it has when the session has exited. */
  async dismissAgent(): Promise<void> {
    await this.#agent.dismiss();
  }

  /** Admit a prompt: it is durable when this settles, and goes to the agent when its time comes. */
  async admit(prompt: Omit<NewPrompt, 'session'>): Promise<Prompt> {
    const admitted = await this.#store.inbox.admit({ ...prompt, session: this.id });
    if (admitted.author.by === 'person') this.#callbacks.notices?.attended(this.id);
    const { title, lastPrompt } = this.session;
    this.#summary.learn({
      title: title ?? titleOf(admitted.content),
      lastPrompt: lastPromptOf(admitted.content) ?? lastPrompt,
      archivedAt: null,
    });
    return this.promptChanged(admitted);
  }

  /** A prompt of this session is new or another than before. */
  promptChanged(prompt: Prompt): Prompt {
    this.feed.message({ type: 'prompt', session: this.id, prompt });
    this.#dispatcher.call();
    return prompt;
  }

  /** Ask the agent something. Rejects when it refuses, does not answer, leaves, or is not there. */
  async request(body: ControlRequestBody, options: RequestOptions = {}): Promise<JsonObject> {
    const answer = await this.#agent.request(body, options);
    const { subtype, mode } = body;
    if (subtype === 'set_permission_mode' && typeof mode === 'string') this.#summary.learn({ mode });
    return answer;
  }

  /** Say something to the agent as it is. Raises `AGENT_NOT_CONNECTED`. */
  async passOn(line: WireLine): Promise<void> {
    await this.#agent.passOn(line);
  }

  /** Lines of the agent that came beside its link; settles when all are durable, `effects` in the same commit. */
  async post(lines: readonly WireLine[], effects: readonly Effect[] = []): Promise<void> {
    let rest = effects;
    const kept = lines.map(async (line) => {
      const { type } = line.head().settleType();
      if (type === 'stream_event') return this.#recorder.preview(line);
      if (type === 'keep_alive') return undefined;
      const [own, others] = [this.#listener.consequenceOf(line), rest];
      rest = [];
      const change = (): Change => joinChanges([own?.change() ?? changeOf([]), changeOf(others)]);
      const { spend, notes = [] } = this.spend.hear(line) ?? {};
      const said = this.#recorder.said(AGENT, line, { change, spend });
      this.turns.note(notes);
      this.#answerByRule(own?.answer);
      return said;
    });
    await Promise.all(kept);
  }

  /** Let go of the agent without a goodbye: it dials again, and goes on with whoever serves it then. */
  async handOver(): Promise<void> {
    await this.#agent.handOver();
    await this.settled();
  }

  /** Settles when everything that was said has become durable, or never will. */
  settled(): Promise<void> {
    return this.#recorder.settled();
  }

  /** A line of its agent. */
  async hear(line: WireLine, position: LinkPosition | undefined): Promise<void> {
    await this.#agent.hear(line, position);
  }

  /** Take over the connected agent of another session, which begins a conversation here. */
  async takeAgentOf(before: LiveSession, conversation: string): Promise<void> {
    await this.#agent.takeOver(before.#agent, conversation);
    const { folder, agent, model, mode } = before.session;
    before.#activity.loseTurn();
    this.#sessionFor = before.#sessionFor;
    this.#callbacks.onMoved(before, this);
    this.#summary.learn({ folder, agent, model, mode, exit: null });
    this.#summary.enter(this.activity);
    before.#summary.enter('exited');
  }

  /** Where the hub launched the agent: before it says anything, because rules go by it. */
  async #learnPlace(): Promise<void> {
    this.#place = placeOf(this.id, await this.#store.launches.get(this.id));
  }

  async #begin(conversation: BegunConversation): Promise<void> {
    const { id, said, position } = conversation;
    if (!this.#sessionFor) return this.hear(said, position);
    await this.#sessionFor(this, id, (next) => moveAgent(this.#store.inbox, this, next, conversation));
  }

  #keep(line: WireLine, position: LinkPosition | undefined): Promise<void> | undefined {
    const { type } = line.head();
    if (type === 'stream_event') return this.#recorder.preview(line, position);
    if (type === 'keep_alive') return this.#recorder.preview(undefined, position);
    if (this.asks.isMany && isBridgeStart(line)) return this.#keepStart(line, position);
    return this.#keepLine(line, position);
  }

  /** What the agent before it asked is over with this line: so many questions are not closed in its commit, but before it. */
  async #keepStart(line: WireLine, position: LinkPosition | undefined): Promise<void> {
    await this.#recorder.settled();
    await this.asks.expire().catch((error: unknown) => this.#callbacks.onTrouble(this.id, error));
    await this.#keepLine(line, position);
  }

  #keepLine(line: WireLine, position: LinkPosition | undefined): Promise<void> | undefined {
    const { change, answer } = this.#listener.consequenceOf(line, position) ?? {};
    const { spend, notes = [] } = this.spend.hear(line) ?? {};
    const room = this.#recorder.heard(line, position, change, spend);
    this.turns.note(notes);
    this.#answerByRule(answer);
    return room;
  }

  /** In the same turn as the question, so that both are in one commit. */
  #answerByRule(answered: RuleAnswer | undefined): void {
    if (!answered) return;
    const { requestId, answer, line } = answered;
    this.#watch(this.#recorder.said(answer.author, WireLine.of(line), { answers: requestId }));
  }

  #recorded(entries: readonly RecordedLine[]): void {
    const { turn } = this.#activity;
    const now = Date.now();
    let bytes = 0;
    let delayMs = 0;
    let isSpent = false;
    for (const { author, line, seq, time } of entries) {
      bytes += line.byteLength;
      // A clock that was set back counts for nothing.
      delayMs += Math.max(0, now - time);
      this.#hearOfTurn(author, line, seq);
      if (author.by === 'agent') this.#tryToUnderstand(line);
      isSpent ||= author.by === 'agent' && SPENDING.has(line.head().type);
    }
    this.feed.entries(entries);
    if (isSpent) this.turns.spent();
    this.#callbacks.onRecorded(entries.length, bytes, delayMs);
    this.#summary.enter(this.activity);
    if (this.#activity.turn !== turn) this.#dispatcher.call();
  }

  /** The record goes on whatever a line is taken for. */
  #tryToUnderstand(line: WireLine): void {
    try {
      this.#listener.hear(line);
    } catch (error) {
      this.#callbacks.onTrouble(this.id, error);
    }
  }

  #previewed(line: WireLine): void {
    // What is not kept is not worth a note either.
    if (isTooDeep(line.bytes(), LIMITS.contentDepth)) return;
    this.previews.add(line);
    this.feed.preview(line);
    this.#hearOfTurn(AGENT, line, this.feed.last);
    this.#summary.enter(this.activity);
  }

  /** A turn may have begun with it, or be over. */
  #hearOfTurn(author: Author, line: WireLine, entry: number): void {
    const { turn } = this.#activity;
    this.#activity.hear(author, line.head());
    if (this.#activity.turn !== turn) this.#callbacks.onTurn(this, this.#activity.turn, entry);
  }

  /** The record says it, in the name of the hub unless told otherwise. */
  noteInRecord(note: JsonObject, author = HUB): void {
    this.#watch(this.mark(note, author));
  }

  /** Nobody is left to be answered: not what was asked, and not what is still on its way into the record. */
  async #expireAsks(): Promise<void> {
    await this.#recorder.settled();
    if (this.session.state === 'exited') await this.asks.expire();
  }

  #watch(work: Promise<unknown>): void {
    void work
      .catch((error: unknown) => this.#callbacks.onTrouble(this.id, error))
      .finally(this.#holds.take());
  }
}
