import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SignalboxError } from '@signalbox/protocol';
import { RUN_HEADER, WebSocketAcceptor } from '@signalbox/transport';
import { permitDialIn } from '../auth/permit.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { sessionIn } from './session-path.ts';

/** `/ws/<session>` for agents that dial in themselves, `/agent/<session>` for bridges. */
const NAMED = /^\/(?:ws|agent)\/([^/]+)$/;

/** There is nothing to connect to at this path. */
export class NoSuchDoorError extends SignalboxError {
  constructor() {
    super(
      'DOOR_NOT_FOUND',
      'Agents dial /, /ws/<session> or /agent/<session>, hosts /api/sessions/<session>/wire, frontends /ws, viewers /api/stream.',
    );
  }
}

/** Where agents come in. */
export class AgentDoor {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #acceptor = new WebSocketAcceptor();

  constructor(store: Store, sessions: LiveSessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  /** Seat an agent. Raises `DOOR_NOT_FOUND` or `FORBIDDEN` before anything was answered. */
  async accept(
    device: Device,
    path: string,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const session = await this.#sessionFor(device, path);
    const via = path.startsWith('/agent/') ? 'bridge' : 'agent';
    const transport = await session.seat({ via, run: request.headers[RUN_HEADER]?.toString() });
    this.#acceptor.accept(request, socket, head, transport);
  }

  async #sessionFor(device: Device, path: string): Promise<LiveSession> {
    if (path === '/' && device.session === null) {
      permitDialIn(device, undefined);
      return (
        (await this.#sessionLeftBy(device)) ?? this.#sessions.create(`${rootPrefix(device)}${randomUUID()}`)
      );
    }
    const id = path === '/' ? device.session : sessionIn(NAMED, path);
    if (!id) throw new NoSuchDoorError();
    permitDialIn(device, id);
    return this.#sessions.getOrCreate(id);
  }

  /**
   * An agent that dials `/` does not say which session it had: it goes on with the one that its device left, when
   * there is only one.
   */
  async #sessionLeftBy(device: Device): Promise<LiveSession | undefined> {
    const left: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.#store.sessions.list({ states: ['disconnected'], ...(after ? { after } : {}) });
      left.push(...page.items.map(({ id }) => id).filter((id) => id.startsWith(rootPrefix(device))));
      after = page.next;
    } while (after !== undefined);
    const [only] = left;
    if (only === undefined || left.length > 1) return undefined;
    const session = await this.#sessions.get(only);
    return session.isConnected ? undefined : session;
  }
}

function rootPrefix({ id }: Device): string {
  return `${id}.`;
}
