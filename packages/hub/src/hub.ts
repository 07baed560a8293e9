import type { Author, Session } from '@signalbox/protocol/hub';
import { createApp } from './api/app.ts';
import { Archive } from './api/archive.ts';
import { archiveRoutes } from './api/archive-routes.ts';
import { Desk, LINK_LIFETIME_MS } from './api/desk.ts';
import { launchRoutes } from './api/launch-routes.ts';
import { metricsOf } from './api/metrics.ts';
import { problemOf } from './api/problem.ts';
import { Readiness } from './api/readiness.ts';
import { routesOf } from './api/routes.ts';
import { type TrustSetup, trustRoutes } from './api/trust-routes.ts';
import { DeviceQuotas } from './auth/device-quotas.ts';
import { Gatekeeper } from './auth/gatekeeper.ts';
import { HostGuard, isUnspecified } from './auth/host-guard.ts';
import { OpenSockets } from './auth/open-sockets.ts';
import { SignInLimit } from './auth/sign-in-limit.ts';
import { writeHubFile } from './bridge/hub-file.ts';
import { AgentDoor } from './dial-in/agent-door.ts';
import { REQUEST_PATIENCE } from './http/request-patience.ts';
import type { NewLaunch } from './launch/launch-desk.ts';
import { createLaunching, dialAddress } from './launch/launching.ts';
import type { LaunchSetup } from './launch/local-agent.ts';
import { LiveSessions } from './live/live-sessions.ts';
import { type Log, SILENT_LOG } from './log/log.ts';
import { assertOpenRelay } from './relay/open-relay.ts';
import { Relay } from './relay/relay.ts';
import { RelayDoor } from './relay/relay-door.ts';
import { ConsoleFiles } from './server/console-files.ts';
import { type BindOptions, HubServer } from './server/hub-server.ts';
import { publicUrl } from './server/public-url.ts';
import { StreamDoor } from './server/stream-door.ts';
import { targetOf } from './server/upgrade-request.ts';
import type { DeviceGrant } from './store/device.ts';
import type { Store } from './store/store.ts';
import { EntryDamagedError } from './store/store-errors.ts';

/** How long connections may take to end when the hub closes. */
const CLOSE_PATIENCE_MS = 2000;

/** How a hub is started. */
export interface HubOptions extends Partial<BindOptions> {
  /** What the hub must not forget; it stays its owner's to close. */
  store: Store;
  /** Names under which the hub is reached beside loopback and its own address. */
  names?: readonly string[];
  /** The folder of the built console, to be served at `/`. */
  console?: string;
  /** What it takes to launch agents on this machine; without it, agents only dial in. */
  launch?: LaunchSetup;
  /** How folders of this machine are trusted; without it, nobody can do so from afar. */
  trust?: TrustSetup;
  /** Frontends of this machine need no token on `/ws`; refused where others could reach it. */
  openRelay?: boolean;
  /** Allow every tool call that agents ask about. */
  autoApprove?: boolean;
  /** Where the hub tells what happens; no secret is ever part of it. */
  log?: Log;
}

/** A hub that runs. */
export interface Hub {
  /** Where programs of this machine find it: `http://host:port`. */
  readonly url: string;
  /** Where people find it: by its first name, where it has one. */
  readonly publicUrl: string;
  readonly port: number;
  /** The socket by which programs of this machine reach it, where it has a home. */
  readonly socket: string | undefined;
  /** A link that signs one browser in, once. */
  createSignInLink(grant: DeviceGrant): Promise<string>;
  /** Make a session and run its agent; raises what `POST /api/sessions` answers. */
  launch(author: Author, session: NewLaunch): Promise<Session>;
  /** Let go of agents, who dial again, and of viewers, who resume; the store stays open. */
  close(): Promise<void>;
}

/** Start a hub. Raises `HUB_BIND_REFUSED`, `OPEN_RELAY_REFUSED`, `CONSOLE_NOT_FOUND` or `HUB_NOT_STARTED`. */
export async function startHub(options: HubOptions): Promise<Hub> {
  const { store, host = '127.0.0.1', port = 0, tls, names = [], log = SILENT_LOG } = options;
  const trouble = (error: unknown, session?: string): void => {
    const { code, status } = problemOf(error);
    if (status === 500) log.failure(error, { session: session ?? null, code });
    // Messages may quote what agents say: docs/ERRORS.md has what a code means.
    else log.warn('trouble', { session: session ?? null, code });
  };
  const stopListening = store.record.onDamaged((session, seq) => {
    const { code, message } = new EntryDamagedError(`${seq} of session ${session}`);
    log.warn('damaged entry', { session, seq, code, message });
  });
  const { openRelay = false, autoApprove = false, behindProxy = false } = options;
  const files = options.console === undefined ? undefined : ConsoleFiles.read(options.console);
  if (openRelay) assertOpenRelay({ host, behindProxy });
  const sessions = new LiveSessions(store, (session, error) => trouble(error, session));
  await sessions.begin();
  const server = await HubServer.listen({ ...options, host, port, home: options.launch?.home });
  const sockets = new OpenSockets();
  const quotas = new DeviceQuotas();
  const patience = { ...REQUEST_PATIENCE, ...options.patience };
  const desk = new Desk(store, sessions, sockets, log);
  const gatekeeper = new Gatekeeper(store.devices, server.port);
  // A browser takes an address that stands for all of them for this machine: nobody needs it as a name.
  const guard = new HostGuard(isUnspecified(host) ? names : [host, ...names]);
  const agents = new AgentDoor(store, sessions);
  const viewers = new StreamDoor({ store, sessions, desk });
  const relay = new Relay({
    store,
    sessions,
    desk,
    gatekeeper,
    guard,
    quotas,
    patience,
    openRelay,
    autoApprove,
    onTrouble: trouble,
  });
  const dial = dialAddress(host, server.port, tls !== undefined);
  const url = dial.replace(/^ws/, 'http');
  const people = publicUrl(options, url);
  const launching = createLaunching({
    store,
    sessions,
    setup: options.launch,
    onTrouble: trouble,
    hub: dial,
    revoke: async (device) => {
      await store.devices.revoke(device);
      sockets.cut(device);
    },
    log,
  });
  const app = createApp({
    store,
    routes: [
      ...routesOf(desk, people),
      ...launchRoutes(desk, launching.desk),
      ...archiveRoutes(new Archive(store, sessions, desk, launching.keeper)),
      ...(options.trust ? trustRoutes(desk, store.launches, options.trust) : []),
    ],
    onSignedIn: (device) => desk.decided(device, 'sign in', device.session, device.id),
    signOut: (device) => desk.revoke(device, device.id),
    gatekeeper,
    guard,
    quotas,
    sockets,
    patience,
    limit: new SignInLimit(),
    isSecure: tls !== undefined || behindProxy,
    isProxied: behindProxy,
    console: files,
    readiness: new Readiness(store, sessions),
    metrics: () => metricsOf(store, sessions, viewers.size),
    log,
  });
  // Before anybody is let in: a bridge that is launched looks there.
  const { socket } = server;
  if (options.launch)
    writeHubFile(options.launch.home, { url: people, socket, dial, certificate: tls?.cert });
  server.serve(relay.listener(app), (request, stream, head) =>
    sockets.entering(async () => {
      const target = targetOf(request);
      const { pathname } = target;
      const device = await relay.identify(request, target);
      const isStream = pathname === '/api/stream';
      const isRelay = RelayDoor.isFor(pathname);
      stream.once('close', quotas.take(device.id, isStream || isRelay ? 'viewers' : 'agents'));
      if (isStream) viewers.accept(device, request, stream, head);
      else if (isRelay) await relay.door.accept(device, target, request, stream, head);
      else await agents.accept(device, pathname, request, stream, head);
      sockets.add(device, stream);
      log.debug('socket', { path: pathname, device: device.id });
    }),
  );
  log.info('hub started', { url: people });
  void launching.keeper.findAgain().catch(trouble);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    viewers.close();
    await relay.door.close();
    launching.keeper.close();
    const closed = server.close(CLOSE_PATIENCE_MS);
    await sessions.handOver();
    await closed;
    stopListening();
    log.info('hub closed', { url: people });
  };
  return {
    url,
    publicUrl: people,
    port: server.port,
    socket,
    createSignInLink: async (grant) =>
      `${people}/sign-in#${await store.devices.createLink(grant, LINK_LIFETIME_MS)}`,
    launch: (author, session) => launching.desk.launch(author, session),
    close: () => (closing ??= close()),
  };
}
