import {
  type ControlRequestBody,
  type JsonObject,
  LIMITS,
  messageOf,
  SignalboxError,
} from '@signalbox/protocol';
import { ALL_SESSIONS, type Cursor } from '@signalbox/protocol/hub';
import { viewerOf } from '../auth/permit.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { Subscription } from '../live/subscription.ts';
import type { Viewer } from '../live/viewer.ts';
import type { RecentRequests } from '../relay/recent-requests.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { RequestInvalidError, TooManyOperationsError } from './api-errors.ts';
import { type CheckedMessage, clientMessage } from './client-message.ts';
import type { Desk } from './desk.ts';
import { parseSaid } from './json-values.ts';
import { problemOf } from './problem.ts';
import { checked } from './route.ts';

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
  sessions: LiveSessions;
  desk: Desk;
  requests: RecentRequests;
}

/** A viewer's side of the conversation: what it subscribes to, and what it wants done. */
export class Stream {
  readonly #parts: StreamParts;
  readonly #device: Device;
  readonly #viewer: Viewer;
  readonly #subscriptions = new Map<string, { end(): void; cursor?: Cursor }>();
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
    const { desk } = this.#parts;
    const by = this.#device;
    switch (message.type) {
      case 'subscribe':
        return message.session === ALL_SESSIONS ? this.#watchAll() : this.#subscribe(message);
      case 'unsubscribe':
        this.#subscriptions.get(message.session)?.end();
        this.#subscriptions.delete(message.session);
        return undefined;
      case 'user-message': {
        const { id: clientId, session, content, delivery } = message;
        return desk.prompt(by, session, { clientId, content, delivery });
      }
      case 'cancel':
        return this.#control(message.id, message.session, { subtype: 'interrupt' });
      case 'answer':
        return desk.answer(by, message.session, message.request, message.answer);
      case 'control':
        return this.#control(message.id, message.session, message.request);
    }
  }

  #control(id: string, session: string, request: ControlRequestBody): Promise<JsonObject> {
    const { desk, requests } = this.#parts;
    const by = this.#device;
    return requests.answer(`${by.id} ${session} ${id}`, request, () => desk.control(by, session, request));
  }

  async #subscribe({ session, cursor, tail }: Extract<CheckedMessage, { type: 'subscribe' }>): Promise<void> {
    const live = await this.#parts.desk.live(this.#device, session);
    // A viewer that left meanwhile must not be kept by the session for ever.
    if (this.#state === 'ended') return;
    const subscription = new Subscription(live, this.#parts.store, {
      viewer: viewerOf(this.#device),
      inflates: this.#viewer.inflates,
      write: (frame) => this.#viewer.write(frame),
      drained: () => this.#viewer.drained(),
      fail: (error) => this.#viewer.say({ type: 'error', code: 'UNEXPECTED', message: messageOf(error) }),
    });
    this.#keep(session, subscription);
    await subscription.start(cursor, tail);
  }

  #watchAll(): void {
    const { sessions } = this.#parts;
    const { session: only } = this.#device;
    const reaches = (id: string): boolean => only === null || only === id;
    const ends = [
      sessions.onSession((session) => {
        if (reaches(session.id)) this.#viewer.say({ type: 'session', session });
      }),
      sessions.onRemoved((session) => {
        // Whoever watches that one is told there.
        if (reaches(session) && !this.#subscriptions.has(session))
          this.#viewer.say({ type: 'removed', session });
      }),
    ];
    this.#keep(ALL_SESSIONS, { end: () => ends.forEach((end) => end()) });
  }

  /** The reason of a close has room for one. */
  #onlyCursor(): Cursor | undefined {
    const cursors = [...this.#subscriptions.values()].flatMap(({ cursor }) => cursor ?? []);
    return cursors.length === 1 ? cursors[0] : undefined;
  }

  #keep(name: string, subscription: { end(): void; cursor?: Cursor }): void {
    this.#subscriptions.get(name)?.end();
    this.#subscriptions.delete(name);
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
