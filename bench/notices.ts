import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoticeOutbox } from '../packages/hub/src/notices/notice-outbox.ts';
import { NoticeRequests } from '../packages/hub/src/notices/request-for.ts';
import type { Effect } from '../packages/hub/src/store/commit.ts';
import type { StoredTarget } from '../packages/hub/src/store/notice.ts';
import { openSqliteStore } from '../packages/hub/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../packages/hub/src/store/store.ts';
import { type Benchmark, interleave, median, type Row } from './measure.ts';

const COMMITS = 300;
const ROUNDS = 7;
const LEAVING = 50;
const MOST = 1.1;
const AUTHOR = { by: 'agent' } as const;
const LINE = { bytes: Buffer.from(JSON.stringify({ type: 'assistant', text: 'x'.repeat(400) })) };

function targetAt(url: string): StoredTarget {
  return {
    id: randomUUID(),
    type: 'webhook',
    name: 'bench',
    address: url,
    kinds: ['asks', 'finished', 'failed', 'budget'],
    session: null,
    mayAnswer: false,
    allowsPrivate: true,
    author: { by: 'hub' },
    device: null,
    createdAt: 0,
    retired: null,
    url,
    secret: 'whsec_AAAA',
    token: null,
    keys: null,
  };
}

function noticeEffect(target: string): Effect {
  const words = {
    kind: 'finished',
    requestId: null,
    title: 'bench has finished',
    body: 'All is done.',
  } as const;
  return {
    kind: 'add-notice',
    notice: { id: randomUUID(), session: 's', cause: randomUUID(), ...words },
    deliveries: [{ target, state: 'quiet' }],
  };
}

/** Commits of one line and one question each, one after the other; every `each`th of them tells people. */
async function commits(store: Store, target: string, each: number): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < COMMITS; at += 1) {
    const requestId = randomUUID();
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
    const asking: Effect = { kind: 'open-permission', session: 's', requestId, request };
    const effects = at % each === 0 ? [asking, noticeEffect(target)] : [asking];
    await store.commit({ appends: [{ session: 's', author: AUTHOR, lines: [LINE] }], effects });
  }
  return performance.now() - start;
}

async function commitRow(
  store: Store,
  target: string,
  each: number,
  what: string,
  most?: number,
): Promise<Row> {
  const times = await interleave(ROUNDS, {
    without: () => commits(store, target, Number.POSITIVE_INFINITY),
    with: () => commits(store, target, each),
  });
  const [without = 0, ours = 0] = [times.without, times.with];
  const ratio = ours / without;
  return {
    what,
    baseline: `${((without * 1000) / COMMITS).toFixed(0)} µs`,
    ours: `${((ours * 1000) / COMMITS).toFixed(0)} µs`,
    ratio: `${ratio.toFixed(2)} ×`,
    target: most === undefined ? '–' : `≤ ${most} ×`,
    met: most === undefined ? undefined : ratio <= most,
  };
}

/** How many turns of the event loop go by between a commit that is durable and the request that leaves. */
async function leavingRow(store: Store): Promise<Row> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const requests = new NoticeRequests(store, 'http://127.0.0.1', undefined);
  const outbox = new NoticeOutbox({
    store,
    requestFor: (target, delivery) => requests.requestFor(target, delivery),
    onTrouble: (error) => console.error(error),
  });
  await store.notices.addTarget(targetAt(`http://127.0.0.1:${port}/`));
  await outbox.begin();
  const turns: number[] = [];
  for (let at = 0; at < LEAVING; at += 1) {
    const words = { kind: 'failed', requestId: null, title: 't', body: 'b' } as const;
    const change = outbox.noting({ session: 's', cause: randomUUID(), ...words }, false);
    const { results } = await store.commit({ effects: change?.effects ?? [] });
    let count = 0;
    let isGone = false;
    const left = new Promise<void>((resolve) => {
      const note = (): void => {
        unsubscribe('http.client.request.start', note);
        isGone = true;
        resolve();
      };
      subscribe('http.client.request.start', note);
    });
    const tick = (): void => {
      if (isGone) return;
      count += 1;
      setImmediate(tick);
    };
    setImmediate(tick);
    change?.settle(results);
    await left;
    turns.push(count);
    // A target gets few at a time: the next one must not wait for this one.
    while ((await store.notices.due(Date.now(), 1)).deliveries.length > 0);
  }
  await outbox.close();
  server.closeAllConnections();
  server.close();
  const middle = median(turns);
  return {
    what: 'turns of the event loop from a durable commit to the request of its notice',
    baseline: '–',
    ours: `${middle}`,
    ratio: `at most ${Math.max(...turns)}`,
    target: '≤ 1',
    met: middle <= 1,
  };
}

export const notices: Benchmark = {
  name: 'notices',
  title: 'Notices: the outbox',
  async run(): Promise<Row[]> {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
    const store = await openSqliteStore(join(folder, 'hub.db'));
    try {
      await store.sessions.create('s', {});
      const { id } = await store.notices.addTarget({ ...targetAt('http://127.0.0.1:9/'), kinds: ['asks'] });
      return [
        await commitRow(
          store,
          id,
          10,
          'commits of a question, every tenth with a notice, against none with one',
          MOST,
        ),
        await commitRow(store, id, 1, 'the same, each with a notice'),
        await leavingRow(store),
      ];
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
