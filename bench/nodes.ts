import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketTransport } from '@signalbox/transport';
import { HubApi, HubStream } from 'signalbox/hub';
import { WebSocket } from 'ws';
import { Balancer } from '../packages/testing/src/balancer.ts';
import { PostgresCluster } from '../packages/testing/src/postgres-cluster.ts';
import { messageOf } from './hub-helper.ts';
import { Contender } from './hub-live.ts';
import { Pacer } from './hub-load.ts';
import { dialled, Helper, type Place, startCast, startHub } from './hub-stage.ts';
import { type Benchmark, median, type Row } from './measure.ts';

const ROUNDS = 5;
const SLICE = 40_000;

const PACE = 200;
const PACED = 600;

const KILLS = 10;
const AGENTS = 2;
const VIEWERS = 6;
const PACE_MS = 20;
const LOOK_MS = 20;

const IDLE_SESSIONS = 10_000;
const IDLE_SECONDS = 10;
const DEVICES = 4;

/** Until what comes with the start of sessions is over. */
const SETTLE_MS = 20_000;

/** How bridges dial again. */
const REDIAL = { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 250, maxDelayMs: 10_000 };

/** A viewer at a node that follows, against one at the node that leads; the agent is at the latter. */
async function throughputRow(leader: Place, follower: Place): Promise<Row> {
  const contenders = {
    leader: await Contender.set(leader, 1),
    follower: await Contender.set(leader, 1, false, follower),
  };
  const rates: Record<keyof typeof contenders, number[]> = { leader: [], follower: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['leader', 'follower'] as const) {
      const { ms } = await contenders[name].flood(SLICE);
      if (round > 0) rates[name].push((SLICE * 1000) / ms);
    }
  }
  await Promise.all(Object.values(contenders).map((contender) => contender.end()));
  const [near, far] = [median(rates.leader), median(rates.follower)];
  const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`;
  return {
    what: 'messages of one agent to a viewer at a node that follows, against one at the node that leads',
    baseline: perSecond(near),
    ours: perSecond(far),
    ratio: `${(far / near).toFixed(2)} ×`,
    target: '≥ 0.6 ×',
    met: far / near >= 0.6,
  };
}

/** Of the same messages: when viewers at both nodes have them. Commits take longer and differ more than a hop. */
async function delayRow(leader: Place, follower: Place): Promise<Row> {
  const hop = await Pacer.set(undefined);
  const cast = await startCast();
  const far = await Helper.start('./hub-viewers.ts');
  const sessions = [crypto.randomUUID()];
  await cast.agents.ask({ do: 'dial', ...dialled(leader), sessions });
  const watch = { do: 'watch', sessions, count: 1, timed: true };
  await cast.viewers.ask({ ...watch, ...dialled(leader) });
  await far.ask({ ...watch, ...dialled(follower) });
  const delays: Record<'hop' | 'leader' | 'added', number[]> = { hop: [], leader: [], added: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { delayMs } = await hop.slice();
    const reached = [cast.viewers, far].map((viewers) =>
      viewers.ask({ do: 'reach', number: (round + 1) * PACED }),
    );
    await cast.agents.ask({ do: 'pace', from: round * PACED + 1, count: PACED, perSecond: PACE });
    await Promise.all(reached);
    const near = await cast.viewers.ask<number[]>({ do: 'delays' });
    const added = (await far.ask<number[]>({ do: 'delays' })).map((ms, at) => ms - (near[at] ?? 0));
    if (round === 0) continue;
    delays.hop.push(delayMs);
    delays.leader.push(median(near));
    delays.added.push(median(added));
  }
  await Promise.all([hop.end(), cast.end(), far.end()]);
  const [direct, near, added] = [median(delays.hop), median(delays.leader), median(delays.added)];
  const hops = added / direct;
  return {
    what: `one agent, ${PACE} messages a second, a viewer at each of both: median delay that the node that follows adds to a message, in direct hops of ${direct.toFixed(2)} ms`,
    baseline: `${near.toFixed(2)} ms`,
    ours: `${added.toFixed(2)} ms more`,
    ratio: `${hops.toFixed(1)} hops`,
    target: '≤ 3 hops',
    met: hops <= 3,
  };
}

/** An agent that says something all the time, and what its viewers have seen of it. */
class Talk {
  sent = 0;
  readonly #seen: number[];
  readonly #transport: WebSocketTransport;
  readonly #streams: HubStream[];

  private constructor(transport: WebSocketTransport, streams: HubStream[]) {
    this.#transport = transport;
    this.#streams = streams;
    this.#seen = streams.map(() => 0);
  }

  static async begin(port: number, token: string, viewers: number, signal: AbortSignal): Promise<Talk> {
    const session = crypto.randomUUID();
    const options = { env: {}, ingressToken: token, lossless: true, reconnect: REDIAL };
    const transport = new WebSocketTransport(new URL(`ws://127.0.0.1:${port}/agent/${session}`), options);
    await transport.connect();
    const streams = Array.from(
      { length: viewers },
      () => new HubStream({ url: `http://127.0.0.1:${port}`, token, WebSocket }),
    );
    const talk = new Talk(transport, streams);
    for (const [at, stream] of streams.entries())
      stream.watch(session, (told) => {
        if (told.type === 'sdk-message') talk.#note(at, JSON.stringify(told.message));
      });
    void talk.#hear();
    void talk.#speak(signal);
    return talk;
  }

  /** How many viewers have seen something that was said after this number. */
  reached(number: number): number {
    return this.#seen.filter((seen) => seen > number).length;
  }

  async end(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    await this.#transport.close().catch(() => {});
  }

  #note(viewer: number, text: string): void {
    const number = Number(/-b766-(\d{12})"/.exec(text)?.[1] ?? 0);
    if (number === 0) return;
    const due = (this.#seen[viewer] ?? 0) + 1;
    if (number !== due) throw new Error(`${number} came where ${due} was due`);
    this.#seen[viewer] = number;
  }

  async #hear(): Promise<void> {
    for await (const line of this.#transport.receive()) {
      const { type, requestId } = line.head();
      if (type !== 'control_request') continue;
      const response = { subtype: 'success', request_id: requestId, response: {} };
      await this.#transport.send(JSON.stringify({ type: 'control_response', response }));
    }
  }

  async #speak(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.sent += 1;
      await this.#transport.send(messageOf(this.sent));
      await pause(PACE_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** Nodes behind one port. */
class Nodes {
  readonly places = new Set<Place>();
  readonly #balancer: Balancer;

  private constructor(balancer: Balancer) {
    this.#balancer = balancer;
  }

  static async listen(): Promise<Nodes> {
    return new Nodes(await Balancer.listen());
  }

  get port(): number {
    return this.#balancer.port;
  }

  add(place: Place): void {
    this.places.add(place);
    this.#balancer.add(portOf(place));
  }

  remove(place: Place): void {
    this.places.delete(place);
    this.#balancer.remove(portOf(place));
  }

  close(): void {
    this.#balancer.close();
  }
}

function portOf({ url }: Place): number {
  return Number(new URL(url).port);
}

/** Kill the node that leads; gives how long each viewer was without what its agent said from then on. */
async function killed(
  nodes: Nodes,
  leading: () => Promise<string>,
  talks: readonly Talk[],
): Promise<number[]> {
  const node = await leading();
  const leader = [...nodes.places].find(
    ({ home = '' }) => readFileSync(join(home, 'node/id'), 'utf8').trim() === node,
  );
  if (!leader) throw new Error('no node leads');
  const before = talks.map(({ sent }) => sent);
  const killedAt = performance.now();
  nodes.remove(leader);
  await leader.process.end();
  const gaps: number[] = [];
  const viewers = talks.length * VIEWERS;
  while (gaps.length < viewers) {
    await pause(LOOK_MS);
    const reached = talks.reduce((sum, talk, at) => sum + talk.reached(before[at] ?? 0), 0);
    while (gaps.length < reached) gaps.push(performance.now() - killedAt);
  }
  return gaps;
}

async function failoverRow(cluster: PostgresCluster): Promise<Row> {
  const database = await cluster.createDatabase();
  const nodes = await Nodes.listen();
  const over = new AbortController();
  for (let number = 0; number < 3; number += 1) nodes.add(await startHub([], database));
  const [{ token = '' } = {}] = nodes.places;
  const talks = await Promise.all(
    Array.from({ length: AGENTS }, () => Talk.begin(nodes.port, token, VIEWERS, over.signal)),
  );
  const leading = async (): Promise<string> =>
    String((await cluster.query(database, 'SELECT node FROM signalbox.lead'))[0]?.node);
  const gaps: number[] = [];
  try {
    while (talks.some((talk) => talk.reached(0) < VIEWERS)) await pause(LOOK_MS);
    for (let kill = 0; kill < KILLS; kill += 1) {
      gaps.push(...(await killed(nodes, leading, talks)));
      nodes.add(await startHub([], database));
    }
  } finally {
    over.abort();
    await Promise.all(talks.map((talk) => talk.end()));
    await Promise.all([...nodes.places].map(({ process: node }) => node.end()));
    nodes.close();
  }
  const [middle, worst] = [median(gaps) / 1000, Math.max(...gaps) / 1000];
  return {
    what: `the leading one of three nodes is killed ${KILLS} times while ${AGENTS} agents speak: until each of ${AGENTS * VIEWERS} viewers sees what is said from then on, nothing missing`,
    baseline: '–',
    ours: `${middle.toFixed(1)} s, at worst ${worst.toFixed(1)} s`,
    ratio: '–',
    target: '≤ 5 s, at worst 10 s',
    met: middle <= 5 && worst <= 10,
  };
}

async function idleRow(cluster: PostgresCluster): Promise<Row> {
  const database = await cluster.createDatabase();
  const hub = await startHub([], database);
  const cast = await startCast();
  const each = async (): Promise<number> => {
    const count = async (): Promise<number> => {
      // What backends have counted is told a moment later.
      await pause(3000);
      const text =
        'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()';
      return Number((await cluster.query(database, text))[0]?.count);
    };
    const before = await count();
    const begunAt = performance.now();
    await pause(IDLE_SECONDS * 1000);
    return ((await count()) - before) / ((performance.now() - begunAt) / 1000);
  };
  try {
    await pause(SETTLE_MS / 4);
    const empty = await each();
    const api = new HubApi({ url: hub.url.replace('ws', 'http'), token: hub.token });
    // One device may not hold as many connections.
    for (let device = 0; device < DEVICES; device += 1) {
      const grant = { person: 'Ann', name: `machine ${device}`, scope: 'drive' } as const;
      const { token } = await api.ask('POST /api/devices', { body: grant });
      const length = IDLE_SESSIONS / DEVICES;
      const sessions = Array.from({ length }, (_, index) => `idle-${device}-${index}`);
      await cast.agents.ask({ do: 'dial', ...dialled(hub), token, sessions });
    }
    await pause(SETTLE_MS);
    const full = await each();
    return {
      what: `${IDLE_SESSIONS.toLocaleString('en')} sessions with an agent that says nothing: transactions a second, against a hub without any`,
      baseline: `${empty.toFixed(1)}/s`,
      ours: `${full.toFixed(1)}/s`,
      ratio: `${((full - empty) / IDLE_SESSIONS).toFixed(5)}/s each`,
      target: '< 1/s each',
      met: (full - empty) / IDLE_SESSIONS < 1,
    };
  } finally {
    await cast.end();
    await hub.process.end();
  }
}

async function run(): Promise<Row[]> {
  const cluster = await PostgresCluster.start();
  const database = await cluster.createDatabase();
  const leader = await startHub([], database);
  const follower = await startHub([], database);
  const rows: Row[] = [];
  try {
    rows.push(await throughputRow(leader, follower), await delayRow(leader, follower));
  } finally {
    await Promise.all([leader.process.end(), follower.process.end()]);
  }
  try {
    rows.push(await failoverRow(cluster), await idleRow(cluster));
    return rows;
  } finally {
    await cluster.stop();
  }
}

export const nodes: Benchmark = {
  name: 'nodes',
  title: 'Several hubs on one PostgreSQL database',
  run,
};
