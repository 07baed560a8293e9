import {
  type ControlRequestBody,
  isTooDeep,
  type JsonObject,
  JsonTooDeepError,
  LIMITS,
  type RequestOptions,
  type SignalboxError,
  sameJson,
  WireLine,
} from '@signalbox/protocol';
import type { Author, Prompt, Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import { askIn, askOf, failedAnswer, problemOf, problemOfAsk, refusalLine } from '../asks/ask-line.ts';
import { Asks } from '../asks/asks.ts';
import { AgentIdentity } from '../dial-in/agent-identity.ts';
import { AgentSeat, type Dialler, type Greeting } from '../dial-in/agent-seat.ts';
import type { AgentTransport } from '../dial-in/agent-transport.ts';
import { Courier, type Readiness } from '../inbox/courier.ts';
import type { NewPrompt } from '../store/prompt.ts';
import type { RecordedLine } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import { Feed } from './feed.ts';
import { AgentNotConnectedError, SeatTakenError } from './live-errors.ts';
import { Previews } from './previews.ts';
import { Recorder } from './recorder.ts';
import { SessionCard } from './session-card.ts';
import { factsIn, isBridgeStart, modeIn, titleOf } from './session-news.ts';
import type { SessionOutlets } from './session-outlets.ts';
import { problemAfter } from './session-problem.ts';
import { type Turn, turnAfter } from './turn.ts';

/** How much of the record is read to know whether a turn runs. */
const TURN_WITHIN = 200;

const HUB: Author = { by: 'hub' };
const AGENT: Author = { by: 'agent' };

/** A session in use: the place of its agent, what goes in and out, and what it is doing. */
export class LiveSession {
  readonly feed: Feed;
  readonly previews = new Previews();
  readonly asks: Asks;
  readonly agent = new AgentIdentity();
  readonly #store: Store;
  readonly #outlets: SessionOutlets;
  readonly #card: SessionCard;
  readonly #recorder: Recorder;
  readonly #courier: Courier;
  #turn: Turn = 'none';
  #seat: AgentSeat | undefined;
  /** How far the agent was heard, whatever link it comes back on. */
  #position: LinkPosition | undefined;

  private constructor(store: Store, session: Session, last: number, outlets: SessionOutlets) {
    const { id } = session;
    const onTrouble = (error: unknown): void => outlets.onTrouble(id, error);
    const deliver = (line: string): Promise<boolean> => this.#seat?.deliver(line) ?? Promise.resolve(false);
    this.#store = store;
    this.#outlets = outlets;
    this.feed = new Feed(id, store.epoch, last);
    this.#card = new SessionCard(store.sessions, session, this.feed, {
      ...outlets,
      onExited: () => this.#watch(this.#expireAsks()),
    });
    this.#recorder = new Recorder(store.record, id, {
      onRecorded: (entries) => this.#recorded(entries),
      onPreview: (line) => this.#previewed(line),
      isReplyOpen: () => this.previews.lines().length > 0,
      onSafe: (position) => this.#seat?.transport.acknowledge(position),
      onTrouble,
    });
    this.asks = new Asks(store.permissions, id, outlets.askBudget, {
      record: (author, line, along) => this.#recorder.said(author, WireLine.of(line), along),
      deliver,
      folder: () => this.session.folder,
      onChange: (permission) => {
        const mode = modeIn(permission.answer?.response);
        if (mode !== undefined && mode !== this.session.mode) this.#card.learn({ mode });
        this.feed.message({ type: 'permission', session: id, permission });
        outlets.onPermission(permission);
        this.#card.enter(this.activity);
      },
      onRefused: (error) => this.#noteUnread(error),
      onTrouble,
    });
    this.#courier = new Courier(store.inbox, store.record, id, {
      readiness: () => this.#readiness(),
      record: ({ author }, line) => this.#recorder.said(author, WireLine.of(line)),
      deliver,
      onChange: (prompt) => this.feed.message({ type: 'prompt', session: id, prompt }),
      onTrouble,
    });
  }

  /** Take up a session where its record ends. */
  static async open(store: Store, session: Session, outlets: SessionOutlets): Promise<LiveSession> {
    const { entries, last } = await store.record.tail(session.id, TURN_WITHIN);
    const live = new LiveSession(store, session, last, outlets);
    if (last > TURN_WITHIN) await live.agent.load(store.record, session.id);
    for (const entry of entries) {
      if (entry.kind !== 'line') continue;
      live.#turn = turnAfter(live.#turn, entry.author, entry.line.head().settleType());
      if (entry.author.by !== 'agent') continue;
      live.asks.hear(entry.line);
      live.agent.recall(entry.line);
      // Facts are stored after their line: a hub that was killed in between has the line alone.
      if (entry.time > live.session.updatedAt) live.#learnFrom(entry.line, entry.time);
    }
    live.#position = await store.record.position(session.id);
    await Promise.all([live.asks.load(), live.#courier.load()]);
    return live;
  }

  get id(): string {
    return this.session.id;
  }

  get session(): Session {
    return this.#card.session;
  }

  /** What it is doing, told from what was said and from nothing else. */
  get activity(): SessionState {
    const { state } = this.session;
    if (!this.#seat?.isConnected) return state === 'starting' || state === 'exited' ? state : 'disconnected';
    if (this.asks.open.length > 0) return 'asking';
    if (this.#turn === 'running') return 'active';
    return state === 'starting' && this.#seat.state === 'greeting' ? 'starting' : 'idle';
  }

  /** Why nothing that is said can be stored at the moment. */
  get trouble(): Recorder['trouble'] {
    return this.#recorder.trouble;
  }

  /** Whether an agent holds the session's place at the moment. */
  get isConnected(): boolean {
    return this.#seat?.isConnected ?? false;
  }

  /** Nobody is there, and all that is known of it is stored: it can be taken up again at any time. */
  get isResting(): boolean {
    return this.#seat === undefined && this.feed.size === 0;
  }

  /** Where the session's agent dials in: over the link that it had, or over a new one. No two processes share one. */
  async seat(dialler: Dialler): Promise<AgentTransport> {
    while (this.#seat && this.#seat.run !== dialler.run) {
      if (await this.#seat.isHeldAgainst(dialler)) throw new SeatTakenError(this.id);
      await this.#seat.giveWay();
      await this.#recorder.settled();
    }
    // In a place that was made for an agent, the first one starts now.
    if (!this.#seat && this.feed.last === 0) this.#card.enter('starting');
    this.#seat ??= new AgentSeat(dialler.run, this.#position, {
      onLine: (line, position) => this.#heard(line, position),
      // Lines that the agent has forgotten and nobody got: the record says so in their place.
      onGap: (gap) => this.#note({ subtype: 'gap', ...gap }),
      onState: (state) => {
        this.#card.enter(this.activity);
        if (state === 'ready') this.#courier.call();
      },
      onArrival: () => this.#arrival(dialler),
      onLeft: (leaving) => {
        this.#seat = undefined;
        if (leaving !== 'replaced') this.#card.enter(leaving === 'farewell' ? 'exited' : 'disconnected');
      },
    });
    return this.#seat.transportFor(dialler.via);
  }

  /** Take note of what somebody says about the session, also of an agent that cannot speak for itself. */
  note(facts: Partial<SessionFacts>): Session {
    this.#card.learn(facts);
    return this.session;
  }

  /** The record says who ends the agent, ahead of its end: the code of its process does not. */
  noteStop(author: Author): void {
    this.#note({ subtype: 'stop' }, author);
  }

  /** Tell the agent to leave; it has when the session has exited. */
  async dismissAgent(): Promise<void> {
    await this.#seat?.dismiss();
  }

  /** Admit a prompt: it is durable when this settles, and goes to the agent when its time comes. */
  async admit(prompt: Omit<NewPrompt, 'session'>): Promise<Prompt> {
    const admitted = await this.#store.inbox.admit({ ...prompt, session: this.id });
    if (this.session.title === null) this.#card.learn({ title: titleOf(admitted.content) });
    return this.promptChanged(admitted);
  }

  /** A prompt of this session is new or another than before. */
  promptChanged(prompt: Prompt): Prompt {
    this.feed.message({ type: 'prompt', session: this.id, prompt });
    this.#courier.call();
    return prompt;
  }

  /** Ask the agent something. Rejects when it refuses, does not answer, leaves, or is not there. */
  async request(body: ControlRequestBody, options: RequestOptions = {}): Promise<JsonObject> {
    if (!this.#seat?.isConnected) throw new AgentNotConnectedError(this.id);
    const answer = await this.#seat.request(body, options);
    const { subtype, mode } = body;
    if (subtype === 'set_permission_mode' && typeof mode === 'string') this.#card.learn({ mode });
    return answer;
  }

  /** Lines of the agent that came beside its link; settles when all are durable, `along` in the same commit. */
  async post(lines: readonly WireLine[], along?: () => Promise<unknown>): Promise<void> {
    let rest = along;
    const kept = lines.map(async (line) => {
      const { type } = line.head().settleType();
      if (type === 'stream_event') return this.#recorder.preview(line);
      if (type === 'keep_alive') return undefined;
      const [own, other] = [this.#consequence(line), rest];
      rest = undefined;
      return this.#recorder.said(AGENT, line, async () => Promise.all([own?.(), other?.()]));
    });
    await Promise.all(kept);
  }

  /** Let go of the agent without a goodbye: it dials again, and goes on with whoever serves it then. */
  async handOver(): Promise<void> {
    await this.#seat?.handOver();
    await this.#recorder.settled();
  }

  #heard(line: WireLine, position: LinkPosition | undefined): Promise<void> | undefined {
    this.#position = position ?? this.#position;
    const { type } = line.head().settleType();
    if (type === 'stream_event') return this.#recorder.preview(line, position);
    if (type === 'keep_alive') return this.#recorder.preview(undefined, position);
    return this.#recorder.heard(line, position, this.#consequence(line));
  }

  /** What has to be stored in one commit with a line: a hub that is killed here has both, or neither. */
  #consequence(line: WireLine): (() => Promise<unknown>) | undefined {
    const ask = askIn(line);
    const rotation = this.agent.follow(line);
    if (rotation) this.#note({ subtype: 'rotated', ...rotation });
    this.asks.hear(line);
    if (ask?.kind === 'ask') return () => this.asks.ask(ask.requestId, ask.request);
    return isBridgeStart(line) ? () => this.asks.expire() : undefined;
  }

  #recorded(entries: readonly RecordedLine[]): void {
    const turnBefore = this.#turn;
    let bytes = 0;
    for (const { author, line } of entries) {
      bytes += line.byteLength;
      this.#turn = turnAfter(this.#turn, author, line.head());
      if (author.by === 'agent') this.#tryToUnderstand(line);
    }
    this.feed.entries(entries);
    this.#outlets.onRecorded(entries.length, bytes);
    this.#card.enter(this.activity);
    if (this.#turn !== turnBefore) this.#courier.call();
  }

  /** The record goes on whatever a line is taken for. */
  #tryToUnderstand(line: WireLine): void {
    try {
      this.#understand(line);
    } catch (error) {
      this.#outlets.onTrouble(this.id, error);
    }
  }

  /** What a line of the agent that is durable means for its session. */
  #understand(line: WireLine): void {
    this.previews.settle(line);
    const problem = problemOf(line);
    if (problem) return this.#unread(line, problem);
    this.agent.hear(line);
    if (line.head().type?.startsWith('control_')) {
      const ask = askIn(line);
      if (ask?.kind === 'withdrawal') this.#watch(this.asks.close(ask.requestId, 'withdrawn'));
      if (ask?.kind !== 'ask') this.#seat?.feed(line);
      return;
    }
    const leftOut = this.#learnFrom(line);
    if (leftOut) this.#noteUnread(leftOut);
    const hindrance = problemAfter(line, this.session.problem);
    if (!sameJson(hindrance, this.session.problem)) this.note({ problem: hindrance });
  }

  /** What it tells of the session; gives why something of that is left out. */
  #learnFrom(line: WireLine, at?: number): SignalboxError | undefined {
    const { facts, problem } = factsIn(line);
    // A name that somebody gave it says more than a command line.
    if (facts) this.#card.learn({ ...facts, agent: this.session.agent ?? facts.agent ?? null }, at);
    return problem;
  }

  /** The record keeps it as it is, with a note that says why nothing came of it; whoever asked by it is told. */
  #unread(line: WireLine, problem: SignalboxError): void {
    const { type, requestId } = line.head();
    this.#noteUnread(problem);
    // Of one that is too deep the rest can be read; whoever waits for another one is told at once that it is not.
    if (type === 'control_response')
      this.#seat?.feed(problem instanceof JsonTooDeepError ? line : failedAnswer(line, problem));
    if (type === 'control_request' && requestId !== undefined) this.#refuse(requestId, problem);
  }

  #noteUnread({ code, message }: SignalboxError): void {
    this.#note({
      subtype: 'unread',
      code,
      message: `Something that the agent said was not read: ${message}`,
    });
  }

  /** A question that people cannot be shown. */
  #refuse(requestId: string, { code, message }: SignalboxError): void {
    const told = this.#seat?.deliver(refusalLine(requestId, message, code));
    if (told) this.#watch(told);
  }

  #previewed(line: WireLine): void {
    // What is not kept is not worth a note either.
    if (isTooDeep(line.bytes(), LIMITS.contentDepth)) return;
    this.previews.add(line);
    this.feed.preview(line);
    this.#turn = turnAfter(this.#turn, { by: 'agent' }, line.head());
    this.#card.enter(this.activity);
  }

  #note(note: JsonObject, author = HUB): void {
    const line = JSON.stringify({ type: 'hub', ...note });
    this.#watch(this.#recorder.said(author, WireLine.of(line)));
  }

  #arrival(dialler: Dialler): (greeting: Greeting) => Promise<void> {
    const arrival = this.agent.arrives(dialler);
    // From now on nobody can answer the one before, although this one has not spoken yet.
    if (arrival === 'another') this.#watch(this.asks.expire());
    const openBefore = this.asks.greeting();
    const epochBefore = this.#position?.epoch;
    return async (greeting) => {
      this.agent.greeted();
      // Today's claude takes a second greeting for a first one. A link that goes on says that its process does too.
      const isSameLink = epochBefore !== undefined && this.#position?.epoch === epochBefore;
      if ((arrival === 'known' || isSameLink) && greeting.agent === 'new') return this.asks.goOn();
      // A plain link may have lost the end of a turn: prompts must not wait for it for ever.
      if (greeting.agent === 'new' || this.#seat?.transport.link === 'plain') this.#turn = 'none';
      if (greeting.agent === 'silent') return this.asks.endGreeting();
      const isNew = greeting.agent === 'new';
      const pending = (isNew ? [] : greeting.pending).flatMap((message) => askOf(message) ?? []);
      const asked = pending.filter((ask) => {
        const problem = problemOfAsk(ask);
        if (problem) this.#refuse(ask.requestId, problem);
        return !problem;
      });
      const reconciled = this.asks.reconcile(asked, openBefore, isNew ? 'expired' : 'withdrawn');
      await reconciled.catch((error: unknown) => this.#outlets.onTrouble(this.id, error));
    };
  }

  #readiness(): Readiness {
    if (this.#seat?.state !== 'ready') return 'nothing';
    return this.#turn === 'running' ? 'steering' : 'everything';
  }

  /** Nobody is left to be answered: not what was asked, and not what is still on its way into the record. */
  async #expireAsks(): Promise<void> {
    await this.#recorder.settled();
    if (this.session.state === 'exited') await this.asks.expire();
  }

  #watch(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#outlets.onTrouble(this.id, error));
  }
}
