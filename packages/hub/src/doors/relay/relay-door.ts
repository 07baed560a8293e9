import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { encodeRelayStatus, LIMITS, RELAY_STATUS } from '@signalbox/protocol';
import { type Cursor, RECORD_START, type Session, type SessionState } from '@signalbox/protocol/hub';
import { WebSocketAcceptor } from '@signalbox/transport';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { LiveSessions } from '../../sessions/live-sessions.ts';
import { type Device, includesScope } from '../../store/device.ts';
import { sessionIn } from '../dial-in/session-path.ts';
import { NoSuchDoorError } from '../http/door-errors.ts';
import { RecentRequests } from '../http/recent-requests.ts';
import { HostTransport } from './host-transport.ts';
import { WireHost, type WireHostParts } from './wire-host.ts';

/** Where frontends dial: they hear every agent that there is. */
export const FRONTENDS = '/ws';

const WIRE = /^\/api\/sessions\/([^/]+)\/wire$/;

/** Names the last entry that a host has, as `<seq>:<check>`, or says `new`: either way it wants to be told of cursors. */
const CURSOR_HEADER = 'x-signalbox-cursor';

const CURSOR = /^(\d{1,15}):(\d{1,10})$/;

const CONNECTED: ReadonlySet<SessionState> = new Set(['active', 'idle', 'asking']);

/** How long a frontend listens to a session whose agent is gone: it may come back, or have said something last. */
const LISTEN_ON_MS = 60_000;

interface Connection {
  host: WireHost;
  transport: HostTransport;
  /** `follower` hears the agents of all sessions, the others that of one; a `host` needs no word of who comes and goes. */
  role: 'host' | 'frontend' | 'follower';
  /** Sessions whose agent it was told to be there. */
  there: Set<string>;
}

/** Where those come in who speak an agent's own protocol: frontends of a relay, and hosts of a session. */
export class RelayDoor {
  readonly #parts: WireHostParts;
  readonly #live: LiveSessions;
  /** Who may send prompts may send long frames. */
  readonly #drivers = new WebSocketAcceptor({ maxLineBytes: LIMITS.bodyBytes.most });
  readonly #others = new WebSocketAcceptor({ maxLineBytes: LIMITS.watchedFrameBytes.most });
  readonly #connections = new Set<Connection>();
  /** Whether the agent of a session was there when it was last heard of; of those that were there at all. */
  readonly #presence = new Map<string, boolean>();
  /** Sessions that had no agent yet: what theirs says before it is greeted is for those who follow it, too. */
  readonly #unheard = new Set<string>();

  constructor(parts: Omit<WireHostParts, 'requests'>, live: LiveSessions) {
    this.#parts = { ...parts, requests: new RecentRequests() };
    this.#live = live;
    live.onSession((session) => this.#changed(session));
    live.onRemoved((session) => this.#forget(session));
    live.onMoved((from, to) => this.#moved(from, to));
  }

  get size(): number {
    return this.#connections.size;
  }

  static isFor(path: string): boolean {
    return path === FRONTENDS || WIRE.test(path);
  }

  /** Raises `FORBIDDEN`, or `STORE_SESSION_NOT_FOUND`, before anything was answered. */
  async accept(
    device: Device,
    url: URL,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const isFrontend = url.pathname === FRONTENDS;
    const named = isFrontend ? frontendSession(url, device) : sessionIn(WIRE, url.pathname);
    if (!isFrontend && named === undefined) throw new NoSuchDoorError();
    const { sessions } = this.#parts;
    const connect = (only?: LiveSession): void => this.#connect(device, url, request, socket, head, only);
    if (named === undefined) connect();
    else await sessions.use(device, named, connect);
  }

  /** A session is held by the host that is attached to it. */
  #connect(
    device: Device,
    url: URL,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    only: LiveSession | undefined,
  ): void {
    const isFrontend = url.pathname === FRONTENDS;
    const all = only ? [only] : this.#parts.sessions.all(device);
    // Of several sessions a cursor would not say which one it is in.
    const said = only && (request.headers[CURSOR_HEADER]?.toString() ?? url.searchParams.get('after'));
    const isDriver = includesScope(device.scope, 'drive');
    const transport = new HostTransport((isDriver ? LIMITS.bodyBytes : LIMITS.watchedFrameBytes).most);
    const style = typeof said === 'string' ? 'numbered' : 'bare';
    const complaint = isFrontend ? status : trouble;
    const host = new WireHost(
      this.#parts,
      { device, style, complaint, ...(only ? { only } : {}) },
      transport,
    );
    const role = isFrontend ? (only ? 'frontend' : 'follower') : 'host';
    const connection: Connection = { host, transport, role, there: new Set() };
    (isDriver ? this.#drivers : this.#others).accept(request, socket, head, transport);
    this.#connections.add(connection);
    void host.run().then(() => this.#connections.delete(connection));
    for (const live of all) {
      const isThere = this.#presence.get(live.id) === true;
      if (isThere) this.#greet(connection, live, RELAY_STATUS.alreadyConnected);
      if (isThere || live === only) host.attach(live, typeof said === 'string' ? cursorIn(said) : undefined);
    }
  }

  /** Let go of all; those who can dial again. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map(({ transport }) => transport.handOver()));
  }

  #changed(session: Session): void {
    const was = this.#presence.get(session.id);
    const is = CONNECTED.has(session.state);
    if (session.state === 'starting' && was === undefined) this.#unheard.add(session.id);
    // Before it has come for the first time, an agent cannot leave.
    if (was === is || (!is && was === undefined)) return;
    this.#presence.set(session.id, is);
    this.#tell(session.id, is).catch(() => this.#forget(session.id));
  }

  /** Another session may have its name later. */
  #forget(session: string): void {
    this.#presence.delete(session);
    this.#unheard.delete(session);
  }

  async #tell(id: string, isThere: boolean): Promise<void> {
    await this.#live.use(id, (live) => this.#tellOf(live, isThere));
  }

  #tellOf(live: LiveSession, isThere: boolean): void {
    const { id } = live;
    const start = this.#unheard.delete(id) ? RECORD_START : undefined;
    for (const connection of this.#connections) {
      const { role, host } = connection;
      if (role === 'frontend' && !host.isAttachedTo(live)) continue;
      if (!isThere) this.#takeLeave(connection, live);
      else if (!connection.there.has(id)) {
        this.#greet(connection, live, RELAY_STATUS.connected);
        if (role === 'follower' && !host.isAttachedTo(live)) host.attach(live, start);
      }
    }
    if (!isThere) setTimeout(() => this.#letGo(live), LISTEN_ON_MS).unref();
  }

  /** The agent has neither left nor come: it has begun another conversation. */
  #moved(from: LiveSession, to: LiveSession): void {
    this.#forget(from.id);
    this.#unheard.delete(to.id);
    this.#presence.set(to.id, true);
    for (const connection of this.#connections) {
      const { role, host, there } = connection;
      if (role === 'frontend') this.#takeLeave(connection, from);
      if (role !== 'follower') continue;
      there.delete(from.id);
      there.add(to.id);
      if (!host.isAttachedTo(to)) host.attach(to);
    }
    setTimeout(() => this.#letGo(from), LISTEN_ON_MS).unref();
  }

  #greet({ role, there, transport }: Connection, { id, agent }: LiveSession, text: string): void {
    if (role === 'host') return;
    there.add(id);
    transport.write(statusLine(text, agent.session ?? id));
  }

  #takeLeave({ there, transport }: Connection, { id, agent }: LiveSession): void {
    if (there.delete(id)) transport.write(statusLine(RELAY_STATUS.disconnected, agent.session ?? id));
  }

  /** A frontend that stays for long must not keep every session in memory that it ever heard. */
  #letGo(live: LiveSession): void {
    if (this.#presence.get(live.id)) return;
    for (const { role, host } of this.#connections) if (role === 'follower') host.detach(live);
  }
}

function frontendSession(url: URL, device: Device): string | undefined {
  return url.searchParams.get('session') ?? device.session ?? undefined;
}

/** `agent` is the `session_id` by which frontends can name the agent that it is about. */
function statusLine(text: string, agent?: string): string {
  return encodeRelayStatus({ type: 'status', text, ...(agent === undefined ? {} : { session_id: agent }) });
}

/** Frontends of a relay know no errors: what they show is a status. */
function status(code: string, message: string): string {
  return statusLine(`${code}: ${message}`);
}

function trouble(code: string, message: string): string {
  return JSON.stringify({ type: 'hub', subtype: 'error', code, message });
}

/** Undefined for what is no cursor of this version: such a host starts with what is said from now on, and is told so. */
function cursorIn(text: string): Cursor | undefined {
  const [, seq, check] = CURSOR.exec(text) ?? [];
  return seq === undefined || check === undefined ? undefined : { seq: Number(seq), check: Number(check) };
}
