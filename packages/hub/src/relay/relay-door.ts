import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { encodeRelayStatus, LIMITS, RELAY_STATUS } from '@signalbox/protocol';
import type { Cursor, Session, SessionState } from '@signalbox/protocol/hub';
import { WebSocketAcceptor } from '@signalbox/transport';
import { permit } from '../auth/permit.ts';
import { NoSuchDoorError } from '../dial-in/agent-door.ts';
import { sessionIn } from '../dial-in/session-path.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { type Device, includesScope } from '../store/device.ts';
import { HostTransport } from './host-transport.ts';
import { RecentRequests } from './recent-requests.ts';
import { WireHost, type WireHostParts } from './wire-host.ts';

/** Where frontends dial: they hear whatever agent there is. */
export const FRONTENDS = '/ws';

const WIRE = /^\/api\/sessions\/([^/]+)\/wire$/;

/** Names the last entry that a host has, as `<epoch>:<seq>`, or says `new`: either way it wants to be told of cursors. */
const CURSOR_HEADER = 'x-signalbox-cursor';

const CONNECTED: ReadonlySet<SessionState> = new Set(['active', 'idle', 'asking']);

interface Connection {
  host: WireHost;
  transport: HostTransport;
  /** Says on its connection whether the agent is there; hosts of one session need no word of it. */
  role: 'host' | 'frontend' | 'follower';
}

/** Where those come in who speak an agent's own protocol: frontends of a relay, and hosts of a session. */
export class RelayDoor {
  readonly #parts: WireHostParts;
  readonly #sessions: LiveSessions;
  /** Who may send prompts may send long frames. */
  readonly #drivers = new WebSocketAcceptor({ maxLineBytes: LIMITS.bodyBytes.most });
  readonly #others = new WebSocketAcceptor({ maxLineBytes: LIMITS.watchedFrameBytes.most });
  readonly #connections = new Set<Connection>();
  /** Whether the agent of a session was there when it was last heard of; of those that were there at all. */
  readonly #presence = new Map<string, boolean>();
  /** Sessions that had no agent yet: what theirs says before it is greeted is for those who follow it, too. */
  readonly #unheard = new Set<string>();

  constructor(parts: Omit<WireHostParts, 'requests'>, sessions: LiveSessions) {
    this.#parts = { ...parts, requests: new RecentRequests() };
    this.#sessions = sessions;
    sessions.onSession((session) => this.#changed(session));
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
    permit(device, 'watch', named);
    const live = named === undefined ? await this.#latest() : await this.#sessions.get(named);
    const said = request.headers[CURSOR_HEADER]?.toString() ?? url.searchParams.get('after') ?? undefined;
    const isDriver = includesScope(device.scope, 'drive');
    const transport = new HostTransport((isDriver ? LIMITS.bodyBytes : LIMITS.watchedFrameBytes).most);
    const host = new WireHost(
      this.#parts,
      { device, style: said === undefined ? 'bare' : 'numbered', complaint: isFrontend ? status : trouble },
      transport,
    );
    const role = isFrontend ? (named === undefined ? 'follower' : 'frontend') : 'host';
    const connection: Connection = { host, transport, role };
    (isDriver ? this.#drivers : this.#others).accept(request, socket, head, transport);
    this.#connections.add(connection);
    void host.run().then(() => this.#connections.delete(connection));
    if (role !== 'host' && live && this.#isThere(live))
      transport.write(statusLine(RELAY_STATUS.alreadyConnected));
    if (live) host.attach(live, said === undefined ? undefined : cursorIn(said));
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
    void this.#tell(session.id, is, was === undefined);
  }

  #isThere({ id }: LiveSession): boolean {
    return this.#presence.get(id) === true;
  }

  /** Of the sessions whose agent is there, the one in which something happened last. */
  async #latest(): Promise<LiveSession | undefined> {
    const there = (await this.#sessions.all()).filter((live) => this.#isThere(live));
    return there.toSorted((one, other) => other.session.updatedAt - one.session.updatedAt)[0];
  }

  async #tell(id: string, isThere: boolean, isNew: boolean): Promise<void> {
    const live = await this.#sessions.get(id);
    const start = this.#unheard.delete(id) ? { epoch: this.#parts.store.epoch, seq: 0 } : undefined;
    for (const connection of this.#connections) {
      const { role, host, transport } = connection;
      if (role === 'host') continue;
      const isIts = host.session === live;
      const isFree = role === 'follower' && !(host.session && this.#isThere(host.session));
      if (!isIts && !(isThere && (isFree || (role === 'follower' && isNew)))) continue;
      transport.write(statusLine(isThere ? RELAY_STATUS.connected : RELAY_STATUS.disconnected));
      if (!isIts) host.attach(live, start);
    }
  }
}

function frontendSession(url: URL, device: Device): string | undefined {
  return url.searchParams.get('session') ?? device.session ?? undefined;
}

function statusLine(text: string): string {
  return encodeRelayStatus({ type: 'status', text });
}

/** Frontends of a relay know no errors: what they show is a status. */
function status(code: string, message: string): string {
  return statusLine(`${code}: ${message}`);
}

function trouble(code: string, message: string): string {
  return JSON.stringify({ type: 'hub', subtype: 'error', code, message });
}

function cursorIn(text: string): Cursor | undefined {
  const at = text.lastIndexOf(':');
  const seq = Number(text.slice(at + 1));
  return at > 0 && Number.isSafeInteger(seq) && seq >= 0 ? { epoch: text.slice(0, at), seq } : undefined;
}
