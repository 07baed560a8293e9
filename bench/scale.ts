import { setTimeout as pause } from 'node:timers/promises';
import { PostgresCluster } from '../packages/testing/src/postgres-cluster.ts';
import { type Cast, type Place, startCast, startHub } from './hub-stage.ts';
import type { Benchmark, Row } from './measure.ts';
import { type Constants, needOf, usualUse } from './scale-model.ts';

const MESSAGES = 1500;
const PACE = 100;
const VIEWERS = 40;
const SESSIONS = 500;
const IDLE_SECONDS = 8;

/** Until the search index has taken in what came, and nothing is left to do. */
const SETTLE_MS = 15_000;

/** A moment for a process to come to rest. */
const REST_MS = 3000;

/** What a database has counted. */
interface Counted {
  bytes: number;
  wal: number;
  transactions: number;
}

async function counted(cluster: PostgresCluster, database: string): Promise<Counted> {
  // What backends have counted is told a moment later.
  await pause(REST_MS);
  const [found] = await cluster.query(
    database,
    `SELECT pg_database_size(current_database()) AS bytes, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal,
      xact_commit + xact_rollback AS transactions FROM pg_stat_database WHERE datname = current_database()`,
  );
  const number = (name: string): number => Number(found?.[name]);
  return { bytes: number('bytes'), wal: number('wal'), transactions: number('transactions') };
}

/** Messages of one agent at a steady pace, to so many viewers; gives the processor time of the hub. */
async function speak({ process: hub, ...place }: Place, viewers: number): Promise<number> {
  const cast = await startCast();
  const dialled = { ...place, sessions: [crypto.randomUUID()] };
  await cast.agents.ask({ do: 'dial', ...dialled });
  const count = Math.max(1, viewers);
  await cast.viewers.ask({ do: 'watch', ...dialled, count });
  const before = hub.cpuMs();
  const reached = cast.viewers.ask({ do: 'reach', number: MESSAGES });
  await cast.agents.ask({ do: 'pace', from: 1, count: MESSAGES, perSecond: PACE });
  await reached;
  const cpuMs = hub.cpuMs() - before;
  await cast.end();
  return cpuMs;
}

/** What a hub costs each second while nobody says anything. */
async function idleCost(
  { process: hub }: Place,
  cluster: PostgresCluster,
  database: string,
): Promise<{ cpuMs: number; transactions: number }> {
  const [before, cpuMs] = [await counted(cluster, database), hub.cpuMs()];
  await pause(IDLE_SECONDS * 1000);
  const spentMs = hub.cpuMs() - cpuMs;
  const { transactions } = await counted(cluster, database);
  return {
    cpuMs: spentMs / IDLE_SECONDS,
    transactions: (transactions - before.transactions) / (IDLE_SECONDS + REST_MS / 1000),
  };
}

async function measured(cluster: PostgresCluster): Promise<Constants> {
  const database = await cluster.createDatabase();
  const hub = await startHub([], database);
  const casts: Cast[] = [];
  try {
    await pause(REST_MS);
    const baseKib = hub.process.memoryKib();
    const empty = await idleCost(hub, cluster, database);
    // What is compiled is compiled once.
    await speak(hub, 1);
    const before = await counted(cluster, database);
    const oneCpuMs = await speak(hub, 1);
    const after = await counted(cluster, database);
    const manyCpuMs = await speak(hub, VIEWERS);
    const viewerCpuMs = Math.max(0, (manyCpuMs - oneCpuMs) / (VIEWERS - 1) / MESSAGES);
    const { kind, url, token } = hub;
    const dial = async (name: string): Promise<number> => {
      const cast = await startCast();
      casts.push(cast);
      const sessions = Array.from({ length: SESSIONS }, (_, index) => `${name}-${index}`);
      await cast.agents.ask({ do: 'dial', kind, url, token, sessions });
      await pause(REST_MS);
      return hub.process.memoryKib();
    };
    // What a hub grows by once is in the first thousand and not in the second.
    const firstKib = await dial('first');
    const secondKib = await dial('second');
    await pause(SETTLE_MS);
    const idle = await idleCost(hub, cluster, database);
    return {
      messageCpuMs: oneCpuMs / MESSAGES - viewerCpuMs,
      messageBytes: (after.bytes - before.bytes) / MESSAGES,
      messageWalBytes: (after.wal - before.wal) / MESSAGES,
      messageTransactions: (after.transactions - before.transactions) / MESSAGES,
      viewerCpuMs,
      sessionBytes: ((secondKib - firstKib) * 1024) / SESSIONS,
      sessionCpuMs: Math.max(0, idle.cpuMs - empty.cpuMs) / (2 * SESSIONS),
      sessionTransactions: Math.max(0, idle.transactions - empty.transactions) / (2 * SESSIONS),
      baseTransactions: empty.transactions,
      baseBytes: baseKib * 1024,
    };
  } finally {
    await Promise.all(casts.map((cast) => cast.end()));
    await hub.process.end();
  }
}

function row(what: string, ours: string): Row {
  return { what, baseline: '–', ours, ratio: '–', target: '–', met: undefined };
}

function rowsOf(constants: Constants): Row[] {
  const us = (ms: number): string => `${(ms * 1000).toFixed(ms < 0.01 ? 2 : 0)} µs`;
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024).toLocaleString('en')} MiB`;
  const rows = [
    row('a message: processor time of the hub', us(constants.messageCpuMs)),
    row('a message: in the database, with indexes and search', `${Math.round(constants.messageBytes)} bytes`),
    row('a message: write-ahead log', `${Math.round(constants.messageWalBytes)} bytes`),
    row('a message: transactions', constants.messageTransactions.toFixed(2)),
    row(
      'a viewer: processor time of the hub for each message',
      constants.viewerCpuMs > 0 ? us(constants.viewerCpuMs) : 'less than two runs differ by',
    ),
    row('an idle session: memory of the hub', `${(constants.sessionBytes / 1000).toFixed(0)} kB`),
    row('an idle session: processor time of the hub, each second', us(constants.sessionCpuMs)),
    row('an idle session: transactions, each second', constants.sessionTransactions.toFixed(5)),
    row('a hub without anybody: memory', mib(constants.baseBytes)),
    row('a hub without anybody: transactions, each second', constants.baseTransactions.toFixed(2)),
  ];
  for (const sessions of [100, 10_000, 1_000_000]) {
    const need = needOf(constants, usualUse(sessions));
    const words = [
      `${Math.round(need.messages).toLocaleString('en')} messages/s`,
      `${need.processors.toFixed(2)} processors`,
      mib(need.memoryBytes),
      `${Math.round(need.transactions).toLocaleString('en')} transactions/s`,
      `${(need.walBytes / 1e6).toFixed(2)} MB/s of log`,
      `${(need.bytesPerDay / 1e9).toFixed(1)} GB a day`,
    ];
    rows.push(row(`${sessions.toLocaleString('en')} sessions, a tenth at work`, words.join(', ')));
  }
  return rows;
}

async function run(): Promise<Row[]> {
  const cluster = await PostgresCluster.start();
  try {
    return rowsOf(await measured(cluster));
  } finally {
    await cluster.stop();
  }
}

export const scale: Benchmark = {
  name: 'scale',
  title: 'What sessions, messages and viewers cost on PostgreSQL',
  run,
};
