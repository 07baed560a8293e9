import { getRequestListener } from '@hono/node-server';
import { createApp } from './api/app.ts';
import { Desk, LINK_LIFETIME_MS } from './api/desk.ts';
import { metricsOf } from './api/metrics.ts';
import { problemOf } from './api/problem.ts';
import { routesOf } from './api/routes.ts';
import { Gatekeeper, type HeaderReader } from './auth/gatekeeper.ts';
import { HostGuard, isUnspecified } from './auth/host-guard.ts';
import { OpenSockets } from './auth/open-sockets.ts';
import { SignInLimit } from './auth/sign-in-limit.ts';
import { AgentDoor } from './dial-in/agent-door.ts';
import { LiveSessions } from './live/live-sessions.ts';
import { type BindOptions, HubServer } from './server/hub-server.ts';
import { StreamDoor } from './server/stream-door.ts';
import type { DeviceGrant } from './store/device.ts';
import type { Store } from './store/store.ts';

/** How long connections may take to end when the hub closes. */
const CLOSE_PATIENCE_MS = 2000;

/** How a hub is started. */
export interface HubOptions extends Partial<BindOptions> {
  /** What the hub must not forget; it stays its owner's to close. */
  store: Store;
  /** Names under which the hub is reached beside loopback and its own address. */
  names?: readonly string[];
  /** What goes wrong inside; no secret is ever part of it. */
  onTrouble?: (problem: { session?: string; code: string; message: string }) => void;
}

/** A hub that runs. */
export interface Hub {
  /** `http://host:port` */
  readonly url: string;
  readonly port: number;
  /** A link that signs one browser in, once. */
  createSignInLink(grant: DeviceGrant): Promise<string>;
  /** Let go of agents, who dial again, and of viewers, who resume; the store stays open. */
  close(): Promise<void>;
}

/** Start a hub. Raises `HUB_BIND_REFUSED` or `HUB_NOT_STARTED`. */
export async function startHub(options: HubOptions): Promise<Hub> {
  const { store, host = '127.0.0.1', port = 0, tls, names = [], onTrouble = () => {} } = options;
  const trouble = (error: unknown, session?: string): void => {
    const { code, detail: message } = problemOf(error);
    onTrouble({ ...(session === undefined ? {} : { session }), code, message });
  };
  const sessions = new LiveSessions(store, (session, error) => trouble(error, session));
  await sessions.markDisconnected();
  const server = await HubServer.listen({ ...options, host, port });
  const sockets = new OpenSockets();
  const desk = new Desk(store, sessions, sockets);
  const gatekeeper = new Gatekeeper(store.devices, server.port);
  // A browser takes an address that stands for all of them for this machine: nobody needs it as a name.
  const guard = new HostGuard(isUnspecified(host) ? names : [host, ...names]);
  const agents = new AgentDoor(store, sessions);
  const viewers = new StreamDoor({ store, sessions, desk });
  const app = createApp({
    store,
    routes: routesOf(desk),
    signOut: (device) => desk.revoke(device, device.id),
    gatekeeper,
    guard,
    limit: new SignInLimit(),
    isSecure: tls !== undefined,
    metrics: () => metricsOf(sessions, viewers.size),
    log: trouble,
  });
  server.serve(getRequestListener(app.fetch), async (request, socket, head) => {
    const header: HeaderReader = (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    guard.check(header);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://hub');
    const device = await gatekeeper.identify(header, searchParams.get('token'));
    if (pathname === '/api/stream') viewers.accept(device, request, socket, head);
    else await agents.accept(device, pathname, request, socket, head);
    sockets.add(device.id, socket);
  });
  const name = host.includes(':') ? `[${host}]` : host;
  const url = `${tls ? 'https' : 'http'}://${name}:${server.port}`;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    viewers.close();
    const closed = server.close(CLOSE_PATIENCE_MS);
    await sessions.handOver();
    await closed;
  };
  return {
    url,
    port: server.port,
    createSignInLink: async (grant) =>
      `${url}/sign-in#${await store.devices.createLink(grant, LINK_LIFETIME_MS)}`,
    close: () => (closing ??= close()),
  };
}
