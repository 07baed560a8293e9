import { join } from 'node:path';
import type { Author, Session } from '@signalbox/protocol/hub';
import { DeviceQuotas } from './auth/device-quotas.ts';
import { Gatekeeper } from './auth/gatekeeper.ts';
import { HostGuard, isUnspecified } from './auth/host-guard.ts';
import { OpenSockets } from './auth/open-sockets.ts';
import { SignInLimit } from './auth/sign-in-limit.ts';
import { type Log, SILENT_LOG } from './base/log.ts';
import { writeHubFile } from './bridge/hub-file.ts';
import { AgentDoor } from './doors/dial-in/agent-door.ts';
import { dialAddress } from './doors/http/dial-address.ts';
import { noteForwarded } from './doors/http/forwarded.ts';
import { type BindOptions, HubServer } from './doors/http/hub-server.ts';
import { problemOf } from './doors/http/problem.ts';
import { publicUrl } from './doors/http/public-url.ts';
import { REQUEST_PATIENCE } from './doors/http/request-patience.ts';
import { targetOf } from './doors/http/upgrade-request.ts';
import { assertOpenRelay } from './doors/relay/open-relay.ts';
import { Relay } from './doors/relay/relay.ts';
import { RelayDoor } from './doors/relay/relay-door.ts';
import { createApp } from './doors/rest/app.ts';
import { ConsoleFiles } from './doors/rest/console-files.ts';
import { endpointsOf } from './doors/rest/endpoints.ts';
import { StreamDoor } from './doors/stream/stream-door.ts';
import { TerminalDoor } from './doors/terminal/terminal-door.ts';
import type { LaunchSetup } from './launch/local-agent.ts';
import type { HubNode } from './nodes/hub-node.ts';
import { showProof } from './nodes/show-proof.ts';
import type { NoticePatience } from './notices/attempt-outcome.ts';
import { NoticeOutbox } from './notices/notice-outbox.ts';
import { PushKeys } from './notices/push-keys.ts';
import { NoticeRequests } from './notices/request-for.ts';
import { Policy } from './policy/policy.ts';
import type { NewLaunch } from './service/launch-service.ts';
import { metricsFor } from './service/metrics.ts';
import { Readiness } from './service/readiness.ts';
import { createServices } from './service/services.ts';
import type { RetentionSettings } from './service/storage-service.ts';
import type { TrustSetup } from './service/trust-service.ts';
import { LiveSessions } from './sessions/live-sessions.ts';
import { Ledger } from './spend/ledger.ts';
import type { DeviceGrant } from './store/device.ts';
import type { Store } from './store/store.ts';
import { EntryDamagedError } from './store/store-errors.ts';
import { Terminals } from './terminals/terminals.ts';

/** How long connections may take to end when the hub closes. */
const CLOSE_PATIENCE_MS = 2000;

const DEFAULT_HOST = '127.0.0.1';

/** How a hub is started. */
export interface HubOptions extends Partial<BindOptions> {
  /** Listens already; it is closed with the hub. */
  server?: HubServer;
  /** Which of several nodes on one database this is. */
  node?: HubNode;
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
  /** A rule that allows every tool call that agents ask about, for as long as this hub runs. */
  autoApprove?: boolean;
  /** The file of the keys by which push services know the hub; in the home of its launches unless told otherwise. */
  pushKeys?: string;
  /** How long notices are tried, where it is not as usual. */
  noticePatience?: Partial<NoticePatience>;
  /** What is taken away once it is old; read again before it is done. Without it everything stays. */
  retention?: RetentionSettings;
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
  const { host = DEFAULT_HOST, port = 0, openRelay = false, behindProxy = false } = options;
  const files = options.console === undefined ? undefined : ConsoleFiles.read(options.console);
  if (openRelay) assertOpenRelay({ host, behindProxy });
  // First of all, so that `/readyz` answers while the rest is taken up.
  const server =
    options.server ?? (await HubServer.listen({ ...options, host, port, home: options.launch?.home }));
  try {
    return await serve(options, server, files);
  } catch (error) {
    await server.close(0);
    throw error;
  }
}

async function serve(options: HubOptions, server: HubServer, files: ConsoleFiles | undefined): Promise<Hub> {
  const { store, host = DEFAULT_HOST, tls, names = [], log = SILENT_LOG } = options;
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
  const policy = new Policy();
  await policy.load(store.rules, autoApprove);
  const ledger = new Ledger();
  await ledger.load(store);
  const { pushKeys: keyFile = options.launch && join(options.launch.home, 'push-keys.json') } = options;
  const pushKeys = keyFile === undefined ? undefined : new PushKeys(keyFile);
  const outbox = new NoticeOutbox({
    store,
    requestFor: (target, delivery) => requests.requestFor(target, delivery),
    ...(options.noticePatience ? { patience: options.noticePatience } : {}),
    onTrouble: trouble,
    onOutcome: ({ id, type }, { notice }, { how }) => {
      const fields = { target: id, type, notice: notice.id, session: notice.session };
      if (how === 'arrived') log.debug('notice sent', fields);
      else log.warn('notice not sent', { ...fields, how });
    },
  });
  const live = new LiveSessions(store, (session, error) => trouble(error, session), policy, ledger, outbox);
  live.onPermission(({ session, state, answer }) => {
    if (answer?.author.by === 'person') outbox.attended(session);
    if (state !== 'open') outbox.call();
  });
  live.onRemoved((id) => outbox.forgetSession(id));
  await live.begin();
  const sockets = new OpenSockets();
  const quotas = new DeviceQuotas();
  const patience = { ...REQUEST_PATIENCE, ...options.patience };
  const gatekeeper = new Gatekeeper(store.devices, options.node?.cookie ?? server.port);
  // A browser takes an address that stands for all of them for this machine: nobody needs it as a name.
  const guard = new HostGuard(isUnspecified(host) ? names : [host, ...names]);
  const dial = dialAddress(host, server.port, tls !== undefined);
  const url = dial.replace(/^ws/, 'http');
  const people = publicUrl(options, url);
  const requests = new NoticeRequests(store, people, pushKeys);
  const terminals = options.launch && new Terminals(options.launch);
  const services = createServices({
    store,
    sessions: live,
    policy,
    ledger,
    outbox,
    pushKeys,
    sockets,
    setup: options.launch && { ...options.launch, ...(options.node ? { node: options.node.id } : {}) },
    trust: options.trust,
    nodes: options.node?.look,
    ...(options.retention ? { retention: options.retention } : {}),
    terminals,
    hub: dial,
    onTrouble: trouble,
    log,
  });
  const { devices, launches, loops, keeper, inTerminals } = services;
  const agents = new AgentDoor(services.agents);
  const viewers = new StreamDoor({ store, sessions: services.sessions, loops, changes: services.changes });
  const terminalDoor =
    terminals && services.terminals && new TerminalDoor(services.terminals, terminals, quotas, trouble);
  const relay = new Relay({
    store,
    live,
    services,
    gatekeeper,
    guard,
    quotas,
    sockets,
    patience,
    openRelay,
    onTrouble: trouble,
  });
  const app = createApp({
    store,
    endpoints: endpointsOf(services, people),
    answers: services.noticeAnswers,
    signIn: (link) => devices.signIn(link),
    signOut: (device) => devices.revoke(device, device.id),
    gatekeeper,
    guard,
    quotas,
    sockets,
    patience,
    limit: new SignInLimit(),
    isSecure: tls !== undefined || behindProxy,
    isProxied: behindProxy,
    console: files,
    readiness: new Readiness(store, live),
    metrics: (by) => metricsFor(by, { store, sessions: live, nodes: services.nodes, viewers: viewers.size }),
    log,
  });
  // Before anybody is let in: a bridge that is launched looks there.
  const { socket } = server;
  if (options.launch)
    writeHubFile(options.launch.home, { url: people, socket, dial, certificate: tls?.cert });
  // Before anybody starts one: a token is older than the terminal that it is for.
  await services.terminals?.tidyUp().catch(trouble);
  await services.worktrees?.tidyUp().catch(trouble);
  // What is asked from then on is told to those who want it.
  await outbox.begin();
  const answer = relay.listener(app);
  const { secret, proof } = options.node ?? {};
  const onRequest: typeof answer = async (request, response) => {
    if (proof && showProof(request, response, proof)) return;
    noteForwarded(request, secret);
    return answer(request, response);
  };
  server.serve(onRequest, (request, stream, head) =>
    sockets.entering(async () => {
      noteForwarded(request, secret);
      const target = targetOf(request);
      const { pathname } = target;
      const device = await relay.identify(request, target);
      // Whoever has left meanwhile will not close once more: what they would hold could never be given back.
      if (stream.destroyed) return;
      const isStream = pathname === '/api/stream';
      const isRelay = RelayDoor.isFor(pathname);
      const isTerminal = TerminalDoor.isForViewers(pathname);
      stream.once('close', quotas.take(device.id, isStream || isRelay || isTerminal ? 'viewers' : 'agents'));
      if (isStream) viewers.accept(device, request, stream, head);
      else if (isRelay) await relay.door.accept(device, target, request, stream, head);
      else if (terminalDoor && (isTerminal || TerminalDoor.isForProcesses(pathname)))
        await terminalDoor.accept(device, pathname, request, stream, head);
      else await agents.accept(device, pathname, request, stream, head);
      sockets.add(device, stream);
      log.debug('socket', { path: pathname, device: device.id });
    }),
  );
  log.info('hub started', { url: people });
  // Before the end of an agent is told that ended while no hub was there.
  void services.restarts.begin().catch(trouble);
  void keeper.findAgain().catch(trouble);
  void inTerminals?.findAgain().catch(trouble);
  void services.budgets.begin().catch(trouble);
  const stopSweeping = services.storage.begin();
  const looping = loops.begin();
  looping.catch(trouble);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    viewers.close();
    terminalDoor?.close();
    await services.changes?.close();
    await relay.door.close();
    await (await looping.catch(() => undefined))?.();
    services.restarts.close();
    stopSweeping();
    keeper.close();
    ledger.close();
    inTerminals?.close();
    const closed = server.close(CLOSE_PATIENCE_MS);
    await live.handOver();
    await closed;
    await outbox.close();
    stopListening();
    log.info('hub closed', { url: people });
  };
  return {
    url,
    publicUrl: people,
    port: server.port,
    socket,
    createSignInLink: async (grant) => `${people}/sign-in#${await devices.createFirstLink(grant)}`,
    launch: (author, session) => launches.launch(author, session),
    close: () => (closing ??= close()),
  };
}
