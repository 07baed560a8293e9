import { randomUUID } from 'node:crypto';
import { pagesOf } from '@signalbox/protocol/hub';
import type { Store } from '../../../src/store/store.ts';
import { sampleIteration, sampleLoop } from '../contract-loops.ts';
import { target } from '../contract-notices.ts';
import { AGENT, ANN, append, linkedAppend, sampleAppend } from '../sample-record.ts';

const SAID = { type: 'assistant', message: { content: [{ type: 'text', text: 'a quokka' }] } };
const LONG_MS = 3_600_000;
const LONG_LINE = 3 * 1024 * 1024;
const GRANT = { person: 'Ann', name: 'phone', scope: 'approve', session: null } as const;

/** What a test needs to know of a store that has something of everything. */
export interface Filled {
  token: string;
  /** A session with a long record, one with little, and one whose first entries were trimmed. */
  long: string;
  short: string;
  trimmed: string;
}

/** Put something of everything into a store. */
export async function fillStore(store: Store): Promise<Filled> {
  const [long, short, trimmed, gone] = ['long', 'short', 'trimmed', 'gone'].map(
    (id) => `${id}-${randomUUID()}`,
  );
  if (!long || !short || !trimmed || !gone) throw new Error('four ids');
  for (const id of [long, short, trimmed, gone]) await store.sessions.create(id, { title: `Ünïcode ${id}` });
  for (let first = 1; first <= 400; first += 50)
    await append(store, [
      { ...sampleAppend(long, first, first + 49, 1000), author: first === 51 ? ANN : AGENT },
    ]);
  await append(store, [{ session: long, author: AGENT, lines: [{ bytes: Buffer.alloc(LONG_LINE, 'x') }] }]);
  await append(store, [linkedAppend(short, 'epoch', 1, 3)]);
  await append(store, [sampleAppend(trimmed, 1, 300, 1000)]);
  await store.retention.trim(trimmed, 200);
  await store.sessions.remove(gone);
  const spend = {
    rows: [
      { day: '2026-11-18', folder: '/p', model: 'm', person: 'Ann', turns: 1 },
      { day: '2026-11-18', folder: null, model: 'ü', person: null, turns: 0 },
    ].map((row) => ({ ...row, usd: 0.1 + 0.2, input: 10, output: 5, cacheWrite: 2, cacheRead: 100 })),
    meter: { at: 1 },
  };
  await store.commit({
    appends: [
      { session: short, author: AGENT, lines: [{ bytes: Buffer.from(JSON.stringify(SAID)), spend }] },
    ],
  });
  for (const clientId of ['a', 'b', 'c'])
    await store.inbox.admit({
      session: short,
      clientId,
      author: ANN,
      content: `do ${clientId}`,
      delivery: 'queue',
    });
  const [, second] = await store.inbox.list(short);
  if (second) await store.inbox.cancel(second.id);
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
  for (const id of ['r1', 'r2']) await store.permissions.open(short, id, request);
  const answer = { author: ANN, response: { behavior: 'allow' }, what: 'allow', why: 'harmless' } as const;
  await store.permissions.answer(short, 'r1', answer);
  const { token, device } = await store.devices.add(GRANT);
  await store.devices.revoke((await store.devices.add(GRANT)).device.id);
  await store.devices.createLink(GRANT, LONG_MS, device.id);
  await store.answers.keep('ann', 'kéy', { fingerprint: 'f', status: 200, body: 'nul \0 here' }, LONG_MS);
  await store.launches.keep(short, {
    spec: { agent: 'claude', folder: '/p', env: { KEY: 's' } },
    device: device.id,
  });
  const loop = sampleLoop();
  await store.loops.create(loop);
  await store.loops.save({ ...loop, step: 'turn', iteration: 1, version: 2 }, sampleIteration(1));
  await store.comments.add(short, {
    id: randomUUID(),
    path: 'a.ts',
    side: 'new',
    line: 3,
    quote: 'const a = 1;',
    hash: 'h',
    base: 'head',
    baseCommit: null,
    text: 'wrong',
    author: ANN,
    createdAt: 1,
  });
  const scope = { folder: null, session: short, author: ANN, createdAt: 1 };
  await store.rules.create({ id: randomUUID(), rule: 'Bash(ls:*)', behavior: 'allow', ...scope });
  await store.budgets.keep({ id: randomUUID(), usd: 5, tokens: null, per: 'total', ...scope });
  const to = await store.notices.addTarget(target());
  const notice = {
    id: randomUUID(),
    session: short,
    cause: 'ask:r2',
    kind: 'asks',
    title: 't',
    body: 'b',
  } as const;
  await store.notices.add({ ...notice, requestId: 'r2' }, [{ target: to.id, state: 'waiting' }]);
  await store.notices.grant({
    id: randomUUID(),
    hash: 'ab',
    session: short,
    requestId: 'r2',
    digest: 'cd',
    target: to.id,
    notice: notice.id,
    expiresAt: Date.now() + LONG_MS,
  });
  return { token, long, short, trimmed };
}

/** All that a store says of itself. */
export async function everythingIn(store: Store): Promise<unknown> {
  const sessions = await all((from) => store.sessions.list(from));
  const perSession = await Promise.all(
    sessions.map(async ({ id }) => ({
      id,
      record: await entriesOf(store, id),
      position: await store.record.position(id),
      prompts: await store.inbox.list(id),
      launch: await store.launches.get(id),
      comments: await store.comments.list(id),
      meter: await store.spend.meter(id),
    })),
  );
  return {
    sessions,
    perSession,
    questions: await all((from) => store.permissions.listPast(from)),
    audit: await all((from) => store.audit.list(from)),
    devices: await all((from) => store.devices.list(from)),
    loops: await all((from) => store.loops.list(from)),
    rules: await store.rules.list(),
    budgets: await store.budgets.list(),
    spend: await store.spend.sums({ by: 'day' }),
    targets: await store.notices.targets(),
    notices: await all((from) => store.notices.list(from)),
    updates: await updatesOf(store),
  };
}

async function updatesOf(store: Store): Promise<unknown[]> {
  const updates: unknown[] = [];
  for (let position = 0; ; ) {
    const page = await store.updates.after(position);
    updates.push(...page.items);
    position = page.position;
    if (page.isComplete) return [...updates, { position }];
  }
}

async function entriesOf(store: Store, session: string): Promise<unknown[]> {
  const { trimmed } = await store.record.tail(session, 1);
  const entries: unknown[] = [];
  for (let from = trimmed + 1; ; ) {
    const window = await store.record.window(session, from);
    for (const entry of window.entries)
      entries.push(
        entry.kind === 'line' ? { ...entry, line: entry.line.text() } : { kind: entry.kind, seq: entry.seq },
      );
    from = (window.entries.at(-1)?.seq ?? window.last) + 1;
    if (from > window.last) return entries;
  }
}

async function all<Item>(list: Parameters<typeof pagesOf<Item>>[0]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(list)) items.push(...page);
  return items;
}
