import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SearchQuery } from '@signalbox/protocol/hub';
import { storeOver } from '../packages/hub/src/store/sql/store-parts.ts';
import { StoreThread } from '../packages/hub/src/store/sql/store-thread.ts';
import { openSqliteStore } from '../packages/hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/hub/src/store/store.ts';
import { type Benchmark, interleave, type Row } from './measure.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const SESSIONS = 100;
const AUTHOR = { by: 'agent' } as const;

let seed = 1;

/** Words as often as in a language: few of them nearly always, most of them hardly ever. */
function words(count: number): string {
  return Array.from({ length: count }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return wordOf(Math.floor(50_000 * (seed / 2_147_483_647) ** 4));
  }).join(' ');
}

/** Beginnings repeat as well: some three hundred of them. */
function wordOf(number: number): string {
  return `${String.fromCharCode(97 + (number % 20), 97 + (number % 17), 97 + (number % 7))}${number.toString(36)}`;
}

function lineOf(): { bytes: Buffer } {
  const message = { role: 'assistant', content: [{ type: 'text', text: words(25) }] };
  return { bytes: Buffer.from(JSON.stringify({ type: 'assistant', message, session_id: 's', uuid: 'u' })) };
}

async function say(
  store: Store,
  session: string,
  rounds: number,
  lines: readonly { bytes: Buffer }[],
): Promise<number> {
  const start = performance.now();
  for (let round = 0; round < rounds; round += 1)
    await store.commit({ appends: [{ session, author: AUTHOR, lines }] });
  return performance.now() - start;
}

/** Until all that was recorded is indexed. */
async function indexed({ search }: Store): Promise<void> {
  while (!(await search.find({ words: 'nothing' })).isComplete);
}

/** The store as it would be without an index. */
async function openBare(file: string): Promise<Store> {
  const program = new URL('../dist/chunks/store-worker.js', import.meta.url);
  const thread = new StoreThread(new Worker(program, { workerData: file }));
  const { generation } = await thread.opened;
  const fail = () => Promise.reject(new Error('there is no index'));
  const search = { find: fail, outline: fail };
  return storeOver(
    (call, transfer) => thread.call(call, transfer),
    { generation, onCommit: (listener) => thread.onCommit(listener), search },
    () => thread.close(),
  );
}

/** One agent that says as much as the store takes, with what is indexed meanwhile. */
async function commitRow(folder: string): Promise<Row> {
  const rounds = 1000;
  const stores = {
    bare: await openBare(join(folder, 'bare.db')),
    ours: await openSqliteStore(join(folder, 'ours.db')),
  };
  const lines = Array.from({ length: 100 }, lineOf);
  for (const store of Object.values(stores)) await store.sessions.create('s');
  const { bare = 0, ours = 0 } = await interleave(7, {
    bare: () => say(stores.bare, 's', rounds, lines),
    ours: async () => {
      const ms = await say(stores.ours, 's', rounds, lines);
      await indexed(stores.ours);
      return ms;
    },
  });
  for (const store of Object.values(stores)) await store.close();
  return {
    what: 'a commit of 100 lines, one after the other, with the search index, against without',
    baseline: `${(bare / rounds).toFixed(2)} ms`,
    ours: `${(ours / rounds).toFixed(2)} ms`,
    ratio: `${(ours / bare).toFixed(2)} ×`,
    target: '≤ 1.1 ×',
    met: ours / bare <= 1.1,
  };
}

async function fill(store: Store, count: number): Promise<void> {
  for (let session = 0; session < SESSIONS; session += 1) await store.sessions.create(`s${session}`);
  for (let round = 0; round < count / 100; round += 1)
    await say(store, `s${round % SESSIONS}`, 1, Array.from({ length: 100 }, lineOf));
}

const QUERIES: readonly [string, SearchQuery][] = [
  ['a word that is in most', { words: wordOf(0) }],
  ['a word that is in few', { words: wordOf(40_000) }],
  ['two words', { words: `${wordOf(1)} ${wordOf(2000)}` }],
  ['two words in one of 100 sessions', { words: `${wordOf(0)} ${wordOf(3)}`, session: 's7' }],
  ['words in quotes', { words: `"${wordOf(0)} ${wordOf(1)}"` }],
  ['the first three letters of words', { words: `${wordOf(5).slice(0, 3)}*` }],
];

async function searchRow(few: Store, many: Store, [name, query]: (typeof QUERIES)[number]): Promise<Row> {
  const find = (store: Store) => async (): Promise<number> => {
    const start = performance.now();
    const { items } = await store.search.find(query);
    if (items.length === 0) throw new Error(`nothing was found for ${query.words}`);
    return performance.now() - start;
  };
  const { short = 0, long = 0 } = await interleave(21, { short: find(few), long: find(many) });
  return {
    what: `search for ${name}, in ${MANY.toLocaleString('en')} entries against ${FEW.toLocaleString('en')}`,
    baseline: `${short.toFixed(1)} ms`,
    ours: `${long.toFixed(1)} ms`,
    ratio: `${(long / short).toFixed(2)} ×`,
    target: '≤ 3 ×, ≤ 100 ms',
    met: long / short <= 3 && long <= 100,
  };
}

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  try {
    const commit = await commitRow(folder);
    const few = await openSqliteStore(join(folder, 'few.db'));
    const many = await openSqliteStore(join(folder, 'many.db'));
    await fill(few, FEW);
    await indexed(few);
    await fill(many, MANY);
    const start = performance.now();
    await indexed(many);
    const rest = performance.now() - start;
    const rows: Row[] = [];
    for (const query of QUERIES) rows.push(await searchRow(few, many, query));
    await few.close();
    await many.close();
    const [record, index] = await Promise.all(
      ['', '-search'].map(async (end) => (await stat(join(folder, `many.db${end}`))).size / 1e6),
    );
    rows.push({
      what: `the index of ${MANY.toLocaleString('en')} entries, against their record: size (indexed ${(rest / 1000).toFixed(0)} s after the last commit)`,
      baseline: `${record?.toFixed(0)} MB`,
      ours: `${index?.toFixed(0)} MB`,
      ratio: `${((index ?? 0) / (record ?? 1)).toFixed(2)} ×`,
      target: '–',
      met: undefined,
    });
    return [commit, ...rows];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const hubSearch: Benchmark = { name: 'hub-search', title: 'Search', run };
