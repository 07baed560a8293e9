import { type ControlRequestBody, type JsonObject, LIMITS, SignalboxError } from '@signalbox/protocol';
import { ALL_SESSIONS, type Cursor } from '@signalbox/protocol/hub';
import { type CheckedMessage, clientMessage } from '@signalbox/protocol/hub/routes';
import { viewerOf } from '../../auth/identity.ts';
import { parseSaid } from '../../base/json-values.ts';
import type { KeyedQueue } from '../../base/keyed-queue.ts';
import { RequestInvalidError, TooManyOperationsError } from '../../base/request-errors.ts';
import type { ChangesService } from '../../service/changes-service.ts';
import type { LoopService } from '../../service/loop-service.ts';
import type { SessionService } from '../../service/session-service.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import { Subscription } from '../../sessions/subscription.ts';
import { STREAM_CLOSE, type Viewer } from '../../sessions/viewer.ts';
import type { Device } from '../../store/device.ts';
import type { Store } from '../../store/store.ts';
import { checked } from '../http/checked.ts';
import { problemOf } from '../http/problem.ts';
import type { RecentRequests } from '../http/recent-requests.ts';
import type { SharedNotes } from './shared-notes.ts';

/** A viewer watches more than the hub lets one connection watch. */
export class TooManySubscriptionsError extends SignalboxError {
  constructor() {
    super(
      'TOO_MANY_SUBSCRIPTIONS',
      `One connection watches up to ${LIMITS.subscriptions.most} sessions. Open another one.`,
    );
  }
}

/** What a {@link Stream} works with. */
export interface StreamParts {
  store: Store;
  sessions: SessionService;
  loops: LoopService;
  /** Undefined where no programs of this machine are run. */
  changes: ChangesService | undefined;
  requests: RecentRequests;
  notes: SharedNotes;
  /** What viewers are told of sessions in which much waits: of one device, one after the other. */
  snapshots: KeyedQueue;
}

/** A viewer's side of the conversation: what it subscribes to, and what it wants done. */
export class Stream {
  readonly #parts: StreamParts;
  readonly #device: Device;
  readonly #viewer: Viewer;
  readonly #subscriptions = new Map<
    string,
    { end(): void; noteLook?(): void; cursor?: Cursor | undefined }
  >();
  #isLooking = true;
  #operations = 0;
  #state: 'open' | 'ended' = 'open';

  constructor(parts: StreamParts, device: Device, viewer: Viewer) {
    this.#parts = parts;
    this.#device = device;
    this.#viewer = viewer;
    viewer.resumeFrom = () => this.#onlyCursor();
  }

  /** Whatever comes is answered: with an `ack`, or with an `error` that names the id where there is one. */
  async hear(text: string): Promise<void> {
    let id: string | undefined;
    try {
      const value = parsed(text);
      id = idIn(value);
      if (this.#operations >= LIMITS.operations.most)
        throw new TooManyOperationsError(LIMITS.operations.most);
      const message = checked('the message', clientMessage, value);
      this.#operations += 1;
      try {
        const result = await this.#perform(message);
        this.#viewer.say({ type: 'ack', id: message.id, ...(result === undefined ? {} : { result }) });
      } finally {
        this.#operations -= 1;
      }
    } catch (error) {
      const { code, detail } = problemOf(error);
      this.#viewer.say({ type: 'error', ...(id === undefined ? {} : { id }), code, message: detail });
    }
  }

  end(): void {
    this.#state = 'ended';
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
  }

  async #perform(message: CheckedMessage): Promise<unknown> {
    const { sessions } = this.#parts;
    const by = this.#device;
    switch (message.type) {
      case 'subscribe':
        return message.session === ALL_SESSIONS ? this.#watchAll() : this.#subscribe(message);
      case 'unsubscribe':
        this.#end(message.session);
        return undefined;
      case 'user-message': {
        const { id: clientId, session, content, delivery } = message;
        return sessions.prompt(by, session, { clientId, content, delivery });
      }
      case 'cancel':
        return this.#control(message.id, message.session, { subtype: 'interrupt' });
      case 'answer':
        return sessions.answer(by, message.session, message.request, message.answer);
      case 'control':
        return this.#control(message.id, message.session, message.request);
      case 'watch-changes':
        return this.#watchChanges(message.session);
      case 'unwatch-changes':
        this.#end(changesOf(message.session));
        return undefined;
      case 'look':
        this.#isLooking = message.isLooking;
        for (const subscription of this.#subscriptions.values()) subscription.noteLook?.();
        return undefined;
      case 'loop':
        return this.#parts.loops.act(by, message.loop, message.act);
    }
  }

  #control(id: string, session: string, request: ControlRequestBody): Promise<JsonObject> {
    const { sessions, requests } = this.#parts;
    const by = this.#device;
    return requests.answer(`${by.id} ${session} ${id}`, request, () =>
      sessions.control(by, session, request),
    );
  }

  async #subscribe({ session, cursor, tail }: Extract<CheckedMessage, { type: 'subscribe' }>): Promise<void> {
    // Kept before its session is there: an unsubscribe, or another subscribe, that comes meanwhile ends this one.
    const opening = { end: () => {} };
    this.#keep(session, opening);
    const { sessions, store, snapshots } = this.#parts;
    const begin = async (live: LiveSession): Promise<void> => {
      // A viewer that left meanwhile must not be kept by the session for ever.
      if (this.#state === 'ended' || this.#subscriptions.get(session) !== opening) return;
      const subscription = new Subscription(live, store, {
        viewer: viewerOf(this.#device),
        inflates: this.#viewer.inflates,
        isAway: () => !this.#isLooking,
        write: (frame) => this.#viewer.write(frame),
        drained: () => this.#viewer.drained(),
        inTurn: (work) => snapshots.run(this.#device.id, work),
        // It would be shown nothing more, and not know: it comes again, and goes on after the last entry that it has.
        fail: () => this.#viewer.close(STREAM_CLOSE.unreadable, 'the record cannot be read now: resume'),
      });
      this.#keep(session, subscription);
      await subscription.start(cursor, tail);
    };
    await sessions.use(this.#device, session, begin).catch((error: unknown) => {
      if (this.#subscriptions.get(session) === opening) this.#subscriptions.delete(session);
      throw error;
    });
  }

  async #watchChanges(session: string): Promise<void> {
    const { changes } = this.#parts;
    if (!changes) throw new RequestInvalidError('this hub does not look at files');
    const name = changesOf(session);
    const opening = { end: () => {} };
    this.#keep(name, opening);
    const tell = (): void => this.#viewer.say({ type: 'changes', session });
    try {
      const end = await changes.watch(this.#device, session, tell);
      if (this.#state !== 'open' || this.#subscriptions.get(name) !== opening) return end();
      this.#keep(name, { end });
      // What changed before it was watched was told to nobody.
      tell();
    } catch (error) {
      if (this.#subscriptions.get(name) === opening) this.#subscriptions.delete(name);
      throw error;
    }
  }

  #end(name: string): void {
    this.#subscriptions.get(name)?.end();
    this.#subscriptions.delete(name);
  }

  #watchAll(): void {
    const { sessions, loops, notes } = this.#parts;
    const endLoops = loops.watchAll(this.#device, {
      onLoop: (loop) => this.#viewer.write(notes.loop(loop)),
      onRemoved: (loop) => this.#viewer.say({ type: 'loop-removed', loop }),
    });
    const endSessions = sessions.watchAll(this.#device, {
      onSession: (session) => this.#viewer.write(notes.changed(session)),
      onRemoved: (session) => {
        // Whoever watches that one is told there.
        if (!this.#subscriptions.has(session)) this.#viewer.write(notes.removed(session));
      },
    });
    const end = (): void => {
      endLoops();
      endSessions();
    };
    this.#keep(ALL_SESSIONS, { end });
  }

  /** The reason of a close has room for one. */
  #onlyCursor(): Cursor | undefined {
    const cursors = [...this.#subscriptions.values()].flatMap(({ cursor }) => cursor ?? []);
    return cursors.length === 1 ? cursors[0] : undefined;
  }

  #keep(name: string, subscription: { end(): void; cursor?: Cursor | undefined }): void {
    this.#end(name);
    if (this.#subscriptions.size >= LIMITS.subscriptions.most) throw new TooManySubscriptionsError();
    this.#subscriptions.set(name, subscription);
  }
}

function parsed(text: string): unknown {
  try {
    return parseSaid(text);
  } catch (error) {
    if (error instanceof SignalboxError) throw error;
    throw new RequestInvalidError('a message is one JSON object');
  }
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

/** No session has a name with a space in it. */
function changesOf(session: string): string {
  return `changes ${session}`;
}
