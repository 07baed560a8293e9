import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineDecoder } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import { replay } from '../packages/hub/src/store/replay.ts';
import { openSqliteStore } from '../packages/hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/hub/src/store/store.ts';
import { type Benchmark, faster, interleave, median, type Row } from './measure.ts';

const LONG = 1_000_000;
const SHORT = 1_000;
const OTHER_SESSIONS = 1_000;
const TAIL = 100;
const AUTHOR = { by: 'agent' } as const;
const PERSON = { by: 'person', name: 'Ada', device: 'laptop' } as const;

function lineOf(number: number): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'a few words of text. '.repeat(7) }] },
      parent_tool_use_id: null,
      session_id: '4e72334f-9bae-403e-838e-c3776b472055',
      uuid: uuidOf(number),
    }),
  );
}

function uuidOf(number: number): string {
  return `5a7892a4-22dd-4225-b766-${String(number).padStart(12, '0')}`;
}

/** So many writers at a time, each waiting until its lines are safe before it brings the next. */
async function write(
  { writers, rounds, lines }: Load,
  append: (writer: number, lines: readonly Buffer[]) => Promise<unknown>,
): Promise<number> {
  const batch = Array.from({ length: lines }, (_, index) => lineOf(index));
  const start = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let round = 0; round < rounds; round += 1) await append(writer, batch);
    }),
  );
  return performance.now() - start;
}

export interface Load {
  writers: number;
  rounds: number;
  lines: number;
}

export async function durably(load: Load, store: Store): Promise<number> {
  const name = crypto.randomUUID();
  const sessions = Array.from({ length: load.writers }, (_, writer) => `${name}-${writer}`);
  await Promise.all(sessions.map((id) => store.sessions.create(id)));
  return write(load, (writer, lines) =>
    store.commit({
      appends: [
        { session: sessions[writer] ?? '', author: AUTHOR, lines: lines.map((bytes) => ({ bytes })) },
      ],
    }),
  );
}

/** The least that makes lines durable: one file, and a sync for all that came during the one before. */
async function bareFile(load: Load, folder: string): Promise<number> {
  const file = await open(join(folder, `bare-${crypto.randomUUID()}`), 'a');
  let waiting: { bytes: Uint8Array; done: () => void }[] = [];
  let syncing: Promise<void> | undefined;
  const sync = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await file.write(Buffer.concat(group.map(({ bytes }) => bytes)));
      await file.datasync();
      for (const { done } of group) done();
    }
    syncing = undefined;
  };
  const ms = await write(
    load,
    (_, lines) =>
      new Promise<void>((done) => {
        waiting.push({ bytes: Buffer.concat(lines), done });
        syncing ??= Promise.resolve().then(sync);
      }),
  );
  await file.close();
  return ms;
}

export async function fill(store: Store, session: string, count: number): Promise<void> {
  await store.sessions.create(session);
  for (let from = 1; from <= count; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - from + 1) }, (_, index) => ({
      bytes: lineOf(from + index),
    }));
    await store.commit({ appends: [{ session, author: AUTHOR, lines }] });
  }
}

async function fillFile(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let number = 1; number <= count; number += 1) {
    if (!stream.write(`${lineOf(number).toString()}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function readFile(file: string): Promise<void> {
  let bytes = 0;
  let count = 0;
  const decoder = new LineDecoder({
    onLine: (line) => {
      bytes += line.byteLength;
      count += 1;
    },
  });
  for await (const chunk of createReadStream(file)) decoder.push(chunk);
  if (count !== LONG || bytes === 0) throw new Error(`read ${count} lines`);
}

async function readStore(store: Store): Promise<void> {
  let bytes = 0;
  let count = 0;
  for await (const { entries } of replay(store.record, 'long')) {
    for (const entry of entries) {
      if (entry.kind === 'line') bytes += entry.line.byteLength;
      count += 1;
    }
  }
  if (count !== LONG || bytes === 0) throw new Error(`read ${count} entries`);
}

async function appendRow(load: Load, store: Store, folder: string): Promise<Row> {
  const { bare = 0, ours = 0 } = await interleave(5, {
    bare: () => bareFile(load, folder),
    ours: () => durably(load, store),
  });
  const { writers, rounds, lines } = load;
  const perSecond = (ms: number): string =>
    `${Math.round((writers * rounds * lines * 1000) / ms).toLocaleString('en')}/s`;
  const what = `durable lines, ${writers.toLocaleString('en')} × ${lines} at a time, against a bare file with fdatasync`;
  return { ...faster(what, bare, ours, undefined), baseline: perSecond(bare), ours: perSecond(ours) };
}

/** Lines of one commit and session, by the agent alone or by turns with a person: each has a group of its own. */
async function sourcesRow(store: Store): Promise<Row> {
  const load: Load = { writers: 1, rounds: 100, lines: 100 };
  const halves = async (authors: readonly Author[]): Promise<number> => {
    const session = crypto.randomUUID();
    await store.sessions.create(session);
    return write(load, (_, lines) =>
      store.commit({
        appends: authors.map((author, index) => ({
          session,
          author,
          lines: lines.slice(index * 50, index * 50 + 50).map((bytes) => ({ bytes })),
        })),
      }),
    );
  };
  const { one = 0, two = 0 } = await interleave(9, {
    one: () => halves([AUTHOR, AUTHOR]),
    two: () => halves([AUTHOR, PERSON]),
  });
  return {
    what: 'a commit with lines of two sources in one session, against one source',
    baseline: `${(one / load.rounds).toFixed(2)} ms`,
    ours: `${(two / load.rounds).toFixed(2)} ms`,
    ratio: `${(two / one).toFixed(2)} ×`,
    target: '≤ 1.1 ×',
    met: two / one <= 1.1,
  };
}

async function tailRow(store: Store): Promise<Row> {
  const tail = (session: string) => () => timed(() => store.record.tail(session, TAIL));
  const { short = 0, long = 0 } = await interleave(101, { short: tail('short'), long: tail('long') });
  return {
    what: `the last ${TAIL} of ${LONG.toLocaleString('en')} entries, against ${SHORT.toLocaleString('en')}`,
    baseline: `${short.toFixed(2)} ms`,
    ours: `${long.toFixed(2)} ms`,
    ratio: `${(long / short).toFixed(2)} ×`,
    target: '≤ 2 ×',
    met: long / short <= 2,
  };
}

async function locateRow(store: Store): Promise<Row> {
  const times: number[] = [];
  for (let round = 1; round <= 21; round += 1) {
    times.push(await timed(() => store.record.locate('long', uuidOf((round * LONG) / 21))));
  }
  const ms = median(times);
  return {
    what: `the place of a uuid among ${LONG.toLocaleString('en')} entries`,
    baseline: '–',
    ours: `${ms.toFixed(2)} ms`,
    ratio: '–',
    target: '–',
    met: undefined,
  };
}

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
  const store = await openSqliteStore(join(folder, 'hub.db'));
  try {
    const rows = [
      await appendRow({ writers: 1, rounds: 100, lines: 100 }, store, folder),
      await appendRow({ writers: 10, rounds: 50, lines: 100 }, store, folder),
      await appendRow({ writers: 1000, rounds: 10, lines: 10 }, store, folder),
      await appendRow({ writers: 1000, rounds: 10, lines: 1 }, store, folder),
      await sourcesRow(store),
    ];
    const file = join(folder, 'long.ndjson');
    await fillFile(file, LONG);
    await fill(store, 'short', SHORT);
    await fill(store, 'long', LONG);
    await Promise.all(
      Array.from({ length: OTHER_SESSIONS }, (_, index) => fill(store, `other-${index}`, 100)),
    );
    // What follows is measured without an index that is being made beside it.
    while (!(await store.search.find({ words: 'nothing' })).isComplete);
    rows.push(await tailRow(store), await locateRow(store));
    const { bare = 0, ours = 0 } = await interleave(5, {
      bare: () => timed(() => readFile(file)),
      ours: () => timed(() => readStore(store)),
    });
    rows.push(
      faster(`replay of ${LONG.toLocaleString('en')} entries, against lines of a file`, bare, ours, 0.5),
    );
    return rows;
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const hubStore: Benchmark = {
  name: 'hub-store',
  title: "The hub's store",
  run,
};
