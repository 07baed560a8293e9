import type { ControlRequestBody, JsonObject } from '@signalbox/protocol';
import {
  ALL_SESSIONS,
  type ClientMessage,
  type Loop,
  type PermissionRequest,
  type PersonAnswer,
  type Prompt,
  type PromptContent,
  type PromptDelivery,
  protocolsFor,
  type Session,
  type StreamMessage,
} from '@signalbox/protocol/hub';
import type { LoopAct } from '@signalbox/protocol/loop';
import { type ReconnectPolicy, reconnectDelayMs } from '@signalbox/transport/reconnect';
import { platformSocket } from '#socket';
import type { Socket, SocketConstructor } from '../socket/socket.ts';
import { ChangesWatches } from './changes-watches.ts';
import { HubApi } from './hub-api.ts';
import { HubConnectionLostError, HubRefusedError } from './hub-errors.ts';
import type { HubAddress } from './hub-requests.ts';
import { ListWatch } from './list-watch.ts';
import { Operations } from './operations.ts';
import { Pulse } from './pulse.ts';
import { socketBase } from './socket-base.ts';
import { messageIn } from './stream-line.ts';
import { Watch, type WatchListener, type WatchOptions } from './watch.ts';

/** A hub comes back sooner or later; whoever watches it waits. */
const PATIENCE: ReconnectPolicy = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 250, maxDelayMs: 5000 };

/** How long a connection may take to be made: a machine that hangs accepts them and says nothing. */
const DIAL_MS = 20_000;

/** How long a hub may take to answer whoever wakes: a connection that has to be made anew costs less than a longer wait. */
const WAKE_MS = 2000;

const NORMAL_CLOSE = 1000;

/** `waiting`: the connection broke, and is tried again. `refused`: the token is not good. */
export type HubStreamState = 'connecting' | 'open' | 'waiting' | 'refused' | 'closed';

/** Where to connect. */
export interface HubStreamOptions extends HubAddress {
  onState?: (state: HubStreamState) => void;
  reconnect?: Partial<ReconnectPolicy>;
  /** How long a connection may take to be made; 20 s unless given. */
  dialMs?: number;
  /** How long nothing may come before the hub is asked whether it is there; 20 s unless given. */
  quietMs?: number;
  /** The class of its connections, where the platform's own will not do. */
  WebSocket?: SocketConstructor;
}

/** A session that is followed. */
export interface Following {
  readonly cursor: Watch['cursor'];
  end(): void;
}

/** What happens in the sessions of a hub, live: breaks are mended, and nothing is missed or told twice. */
export class HubStream {
  readonly #options: HubStreamOptions;
  readonly #base: string;
  readonly #policy: ReconnectPolicy;
  readonly #dialMs: number;
  readonly #watches = new Map<string, Watch>();
  readonly #sessions: ListWatch<Session>;
  readonly #loops: ListWatch<Loop>;
  readonly #changes = new ChangesWatches((request) => {
    if (this.#state === 'open') this.#send({ id: this.#nextId(), ...request });
  });
  readonly #operations = new Operations();
  readonly #prefix = Math.random().toString(36).slice(2);
  readonly #pulse: Pulse;
  #state: HubStreamState = 'connecting';
  #socket: Socket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ids = 0;
  #isLooking = true;
  /** The subscription to all sessions that the hub has not answered. */
  #allAsked: string | undefined;

  /** Connects at once. */
  constructor(options: HubStreamOptions = {}) {
    this.#options = options;
    this.#base = socketBase(options.url);
    this.#policy = { ...PATIENCE, ...options.reconnect };
    this.#dialMs = options.dialMs ?? DIAL_MS;
    const api = new HubApi(options);
    this.#sessions = new ListWatch((query) => api.sessions(query));
    this.#loops = new ListWatch((query) => api.loops(query));
    this.#pulse = new Pulse({
      // Nobody follows a session of this name: all that it brings is an answer.
      ask: () => this.#send({ type: 'unsubscribe', id: this.#nextId(), session: this.#prefix }),
      onDead: () => this.#giveUp(),
      quietMs: options.quietMs,
      answerMs: options.dialMs,
    });
    this.#dial();
  }

  get state(): HubStreamState {
    return this.#state;
  }

  /** Say whether anybody looks at what is followed here; while nobody does, the hub sends notices. They do unless told otherwise. */
  look(isLooking: boolean): void {
    if (this.#isLooking === isLooking) return;
    this.#isLooking = isLooking;
    if (this.#state === 'open') this.#send({ type: 'look', id: this.#nextId(), isLooking });
  }

  /** Follow a session; whoever followed it over this connection before does not any more. */
  watch(session: string, listener: WatchListener, options: WatchOptions = {}): Following {
    const watch = new Watch(listener, options);
    this.#watches.set(session, watch);
    this.#subscribe(session, watch);
    return {
      get cursor() {
        return watch.cursor;
      },
      end: () => {
        if (this.#watches.get(session) !== watch) return;
        this.#watches.delete(session);
        if (this.#state === 'open') this.#send({ type: 'unsubscribe', id: this.#nextId(), session });
      },
    };
  }

  /**
   * Hear of every session that is new or changes, during a break as well, and of those that are removed; returns the way to stop it.
   * `onWatched` is called when the hub has begun to tell, at first and after each break: a list that is read before that may miss a change.
   */
  watchSessions(
    onSession: (session: Session) => void,
    onRemoved?: (id: string) => void,
    onWatched?: () => void,
  ): () => void {
    const end = this.#sessions.add({ onItem: onSession, onRemoved, onWatched });
    this.#subscribeToAll();
    return end;
  }

  /** The same of loops. */
  watchLoops(
    onLoop: (loop: Loop) => void,
    onRemoved?: (id: string) => void,
    onWatched?: () => void,
  ): () => void {
    const end = this.#loops.add({ onItem: onLoop, onRemoved, onWatched });
    this.#subscribeToAll();
    return end;
  }

  /**
   * Hear when files of a session's folder change: once when the hub has begun to watch them, also after a break, and then
   * whenever they do; returns the way to stop it. The hub watches as long as somebody looks.
   */
  watchChanges(session: string, onChange: () => void): () => void {
    return this.#changes.add(session, onChange);
  }

  /** Settles when the prompt is durable. It survives breaks, and is admitted once. */
  async prompt(
    session: string,
    content: PromptContent,
    { id = this.#nextId(), delivery = 'queue' }: { id?: string; delivery?: PromptDelivery } = {},
  ): Promise<Prompt> {
    return this.#ask({ type: 'user-message', id, session, content, delivery });
  }

  /** The first answer wins; whoever comes later gets it back. It survives breaks. */
  async answer(
    session: string,
    request: string,
    answer: PersonAnswer,
  ): Promise<{ permission: PermissionRequest; isFirst: boolean }> {
    return this.#ask({ type: 'answer', id: this.#nextId(), session, request, answer });
  }

  /** Ask the agent something. Raises `HUB_CONNECTION_LOST` when that cannot be known to have arrived. */
  async control(session: string, request: ControlRequestBody): Promise<JsonObject> {
    if (this.#state !== 'open') throw new HubConnectionLostError();
    return this.#ask({ type: 'control', id: this.#nextId(), session, request });
  }

  /** Pause, resume or stop a loop; the hub does nothing twice. It survives breaks. */
  async actOnLoop(loop: string, act: LoopAct): Promise<Loop> {
    return this.#ask({ type: 'loop', id: this.#nextId(), loop, act });
  }

  interrupt(session: string): Promise<JsonObject> {
    return this.control(session, { subtype: 'interrupt' });
  }

  /**
   * Find out now whether an open connection lives, and try again now where there is none: for a page that was asleep, or
   * whose network has come or gone. What a connection that is being made was sent into may be gone as well: another
   * one takes its place.
   */
  wake(): void {
    if (this.#state === 'open') return this.#pulse.check(WAKE_MS);
    if (this.#state !== 'waiting' && this.#state !== 'connecting') return;
    const left = this.#socket;
    this.#socket = undefined;
    left?.close();
    this.#dial();
  }

  close(): void {
    this.#end('closed', new HubConnectionLostError());
  }

  #dial(): void {
    const { token, WebSocket: Constructor = platformSocket() } = this.#options;
    clearTimeout(this.#retry);
    this.#enter('connecting');
    const socket = new Constructor(`${this.#base}/api/stream`, protocolsFor(token));
    const patience = setTimeout(() => socket.close(), this.#dialMs);
    this.#socket = socket;
    const isCurrent = (): boolean => this.#socket === socket;
    let wasOpen = false;
    socket.addEventListener('open', () => {
      wasOpen = true;
      clearTimeout(patience);
      if (isCurrent()) this.#opened();
    });
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#arrived(data));
    socket.addEventListener('close', () => {
      clearTimeout(patience);
      if (isCurrent()) void this.#dropped(wasOpen);
    });
    // The close that follows says more.
    socket.addEventListener('error', () => {});
  }

  #opened(): void {
    this.#failures = 0;
    this.#enter('open');
    this.#pulse.start();
    if (!this.#isLooking) this.#send({ type: 'look', id: this.#nextId(), isLooking: false });
    for (const [session, watch] of this.#watches) this.#subscribe(session, watch);
    this.#subscribeToAll();
    this.#changes.catchUp();
    for (const message of this.#operations.repeatable()) this.#send(message);
  }

  /** A dead connection may take minutes to be closed: go on without it. */
  #giveUp(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    void this.#dropped(true);
  }

  async #dropped(wasOpen: boolean): Promise<void> {
    this.#socket = undefined;
    this.#pulse.stop();
    this.#operations.lost();
    this.#failures += 1;
    // A page is not told why it was not let in: it has to ask.
    const refusal = wasOpen ? undefined : await this.#refusal();
    if (this.#state === 'closed') return;
    if (refusal) return this.#end('refused', refusal);
    // Somebody woke it meanwhile.
    if (this.#socket) return;
    this.#enter('waiting');
    this.#retry = setTimeout(() => this.#dial(), reconnectDelayMs(this.#failures, this.#policy));
  }

  async #refusal(): Promise<HubRefusedError | undefined> {
    try {
      await new HubApi(this.#options, { answerMs: this.#dialMs }).me();
      return undefined;
    } catch (error) {
      return error instanceof HubRefusedError && (error.status === 401 || error.status === 403)
        ? error
        : undefined;
    }
  }

  #end(state: 'refused' | 'closed', error: Error): void {
    clearTimeout(this.#retry);
    this.#pulse.stop();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#enter(state);
    this.#operations.end(error);
    socket?.close(NORMAL_CLOSE);
  }

  #arrived(data: unknown): void {
    this.#pulse.heard();
    if (typeof data !== 'string') return;
    for (const line of data.split('\n')) {
      const message = line === '' ? undefined : messageIn(line);
      if (message) this.#hear(message);
    }
  }

  #hear(message: StreamMessage): void {
    if ('id' in message && message.id === this.#allAsked) return this.#allAnswered();
    if (message.type === 'ack') return this.#operations.settle(message.id, message.result);
    if (message.type === 'error') return this.#refused(message);
    if (message.type === 'changes') return this.#changes.hear(message.session);
    if (message.type === 'session') this.#sessions.hear(message.session);
    if (message.type === 'removed') this.#sessions.removed(message.session);
    if (message.type === 'loop') this.#loops.hear(message.loop);
    if (message.type === 'loop-removed') this.#loops.removed(message.loop);
    const session = sessionOf(message);
    const watch = session === undefined ? undefined : this.#watches.get(session);
    if (session !== undefined && watch && !watch.hear(message)) this.#subscribe(session, watch);
  }

  #refused(refusal: Extract<StreamMessage, { type: 'error' }>): void {
    const { id, code, message } = refusal;
    if (id === undefined) return;
    for (const watch of this.#watches.values()) if (watch.hasAsked(id)) watch.hear(refusal);
    this.#operations.refuse(id, code, message);
  }

  #subscribe(session: string, watch: Watch): void {
    if (this.#state !== 'open') return;
    const id = this.#nextId();
    this.#send({ type: 'subscribe', id, session, ...watch.ask(id) });
  }

  #subscribeToAll(): void {
    if (this.#state !== 'open' || (this.#sessions.isIdle && this.#loops.isIdle)) return;
    this.#allAsked = this.#nextId();
    this.#send({ type: 'subscribe', id: this.#allAsked, session: ALL_SESSIONS });
  }

  /** A list that is read before this may be older than the first change that is told. One who is refused is told none. */
  #allAnswered(): void {
    this.#allAsked = undefined;
    this.#sessions.watched();
    this.#loops.watched();
  }

  async #ask<Result>(message: ClientMessage): Promise<Result> {
    if (this.#state === 'closed' || this.#state === 'refused') throw new HubConnectionLostError();
    const answered = this.#operations.add(message);
    if (this.#state === 'open') this.#send(message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the hub answers each message in its own shape
    return (await answered) as Result;
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #enter(state: HubStreamState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  #nextId(): string {
    this.#ids += 1;
    return `${this.#prefix}-${this.#ids}`;
  }
}

function sessionOf(message: StreamMessage): string | undefined {
  if (!('session' in message)) return undefined;
  return typeof message.session === 'string' ? message.session : message.session.id;
}
