import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../packages/hub/src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../packages/hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/hub/src/store/store.ts';
import { PostgresCluster } from '../packages/testing/src/postgres-cluster.ts';
import { durably, fill, type Load, timed } from './hub-store.ts';
import { type Benchmark, interleave, type Row } from './measure.ts';

const LONG = 1_000_000;
const SHORT = 1000;
const TAIL = 100;

/** Appends are to be so much of SQLite's at least. */
const LEAST = 0.25;

async function appendRow(load: Load, sqlite: Store, postgres: Store): Promise<Row> {
  const { bare = 0, ours = 0 } = await interleave(3, {
    bare: () => durably(load, sqlite),
    ours: () => durably(load, postgres),
  });
  const { writers, rounds, lines } = load;
  const perSecond = (ms: number): string =>
    `${Math.round((writers * rounds * lines * 1000) / ms).toLocaleString('en')}/s`;
  return {
    what: `durable lines, ${writers.toLocaleString('en')} × ${lines} at a time, against SQLite`,
    baseline: perSecond(bare),
    ours: perSecond(ours),
    ratio: `${(bare / ours).toFixed(2)} ×`,
    target: `≥ ${LEAST} ×`,
    met: bare / ours >= LEAST,
  };
}

async function tailRow(store: Store): Promise<Row> {
  await fill(store, 'short', SHORT);
  await fill(store, 'long', LONG);
  // What follows is measured without an index that is being made beside it.
  while (!(await store.search.find({ words: 'nothing' })).isComplete);
  const tail = (session: string) => () => timed(() => store.record.tail(session, TAIL));
  const { short = 0, long = 0 } = await interleave(51, { short: tail('short'), long: tail('long') });
  return {
    what: `the last ${TAIL} of ${LONG.toLocaleString('en')} entries, against ${SHORT.toLocaleString('en')}`,
    baseline: `${short.toFixed(2)} ms`,
    ours: `${long.toFixed(2)} ms`,
    ratio: `${(long / short).toFixed(2)} ×`,
    target: '≤ 2 ×',
    met: long / short <= 2,
  };
}

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  const cluster = await PostgresCluster.start();
  const sqlite = await openSqliteStore(join(folder, 'hub.db'));
  const postgres = await openPostgresStore(await cluster.createDatabase());
  try {
    return [
      await appendRow({ writers: 1, rounds: 100, lines: 100 }, sqlite, postgres),
      await appendRow({ writers: 10, rounds: 50, lines: 100 }, sqlite, postgres),
      await appendRow({ writers: 1000, rounds: 10, lines: 1 }, sqlite, postgres),
      await tailRow(postgres),
    ];
  } finally {
    await postgres.close();
    await sqlite.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const hubPostgres: Benchmark = {
  name: 'hub-postgres',
  title: "The hub's store in PostgreSQL",
  run,
};
