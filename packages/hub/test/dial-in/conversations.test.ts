import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, dialAgent, startModel, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestFrontend } from '../relay/test-frontend.ts';

type TestHub = Awaited<ReturnType<typeof startTestHub>>;

/** Like an agent that was greeted before. */
const KNOWN = { subtype: 'error', error: 'Already initialized', pending_permission_requests: [] };

async function begin(agent: TestAgent, conversation: string): Promise<void> {
  const named = { session_id: conversation, cwd: '/', model: 'm' };
  await agent.say({ type: 'system', subtype: 'init', ...named, uuid: crypto.randomUUID() });
  await agent.say({ type: 'result', subtype: 'success', result: '', ...named, uuid: crypto.randomUUID() });
}

/** What an agent said, or the hub noted, in each session, by the session's id. */
async function recordsOf({ store }: Pick<TestHub, 'store'>): Promise<Map<string, Record<string, unknown>[]>> {
  const records = new Map();
  for (const { id } of (await store.sessions.list()).items) {
    const { entries } = await store.record.tail(id);
    records.set(
      id,
      entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line.json()] : [])),
    );
  }
  return records;
}

/** The session whose record has this note of the test's. */
async function sessionWith(stage: Pick<TestHub, 'store'>, note: string): Promise<string> {
  return until(async () => {
    for (const [id, lines] of await recordsOf(stage)) if (lines.some(({ of }) => of === note)) return id;
    return undefined;
  });
}

describe('an agent that names no session', () => {
  it('[HB1100] needs no token where the relay is open, at / and nowhere else', async () => {
    const open = await startTestHub({ openRelay: true });
    const agent = await TestAgent.dial(`${open.hub.url}/`, undefined);
    const frontend = await TestFrontend.connect(`${open.hub.url}/ws`);
    await until(() => frontend.statuses.length === 1);
    frontend.prompt('hello');
    await agent.hears(({ message }) => message?.content === 'hello');
    for (const path of ['/ws/s', '/agent/s', '/api/stream'])
      expect(await TestFrontend.refusal(`${open.hub.url}${path}`)).toBe(401);
    const elsewhere = { headers: { origin: 'https://example.com' } };
    expect(await TestFrontend.refusal(`${open.hub.url}/`, elsewhere)).toBe(403);
    const { hub } = await startTestHub();
    expect(await TestFrontend.refusal(`${hub.url}/`)).toBe(401);
  });

  it('[HB1101] goes on with its session when it was cut off, also beside others and after a restart of the hub', async () => {
    const stage = await startTestHub({ openRelay: true });
    const { hub, store } = stage;
    const dial = (lossless: boolean, lastId?: string, url = hub.url) =>
      TestAgent.dial(`${url}/`, undefined, {
        lossless,
        ...(lastId ? { greeting: KNOWN, headers: { 'x-last-request-id': lastId } } : {}),
        ...(lossless ? {} : { reconnect: { attempts: 0 } }),
      });
    const plain = [await dial(false), await dial(false)];
    const linked = [await dial(true), await dial(true)];
    const sessions = new Map<string, string>();
    for (const [i, agent] of [...plain, ...linked].entries()) {
      const note = { type: 'note', of: `agent ${i}`, uuid: `u-${i}` };
      await agent.say(note);
      sessions.set(note.of, await sessionWith(stage, note.of));
    }
    expect(new Set(sessions.values()).size).toBe(4);
    for (const agent of linked) agent.greeting = KNOWN;
    await hub.close();
    const next = await startTestHub({ store, port: hub.port, openRelay: true });
    const back = [await dial(false, 'u-0', next.hub.url), await dial(false, 'u-1', next.hub.url), ...linked];
    for (const [i, agent] of back.entries()) {
      await agent.say({ type: 'note', of: `agent ${i}, again` });
      expect(await sessionWith(next, `agent ${i}, again`)).toBe(sessions.get(`agent ${i}`));
    }
    // Another process is another agent, whatever was left before.
    await (await dial(false, undefined, next.hub.url)).say({ type: 'note', of: 'another' });
    expect([...sessions.values()]).not.toContain(await sessionWith(next, 'another'));
  });

  it('[HB1102] has a session for each conversation that it begins, and takes along what it was still to hear', async () => {
    const stage = await startTestHub({ openRelay: true });
    const { hub, store } = stage;
    const frontend = await TestFrontend.connect(`${hub.url}/ws`);
    const agent = await TestAgent.dial(`${hub.url}/`, undefined);
    await begin(agent, 'A');
    await frontend.finds(({ type }) => type === 'result');
    const [first = ''] = (await recordsOf(stage)).keys();
    // Its turn runs: what comes next waits.
    frontend.prompt('one', { to: 'A' });
    await agent.hears(({ message }) => message?.content === 'one');
    frontend.prompt('two', { to: 'A' });
    await until(async () => (await store.inbox.list(first)).some(({ content }) => content === 'two'));
    await begin(agent, 'B');
    await agent.hears(({ message }) => message?.content === 'two');
    expect(agent.prompts).toEqual(['one', 'two']);
    const records = await until(async () => {
      const all = await recordsOf(stage);
      return all.size === 2 ? all : undefined;
    });
    const second = [...records.keys()].find((id) => id !== first) ?? '';
    const notes = (id: string) => records.get(id)?.filter(({ type }) => type === 'hub');
    const change = { type: 'hub', subtype: 'rotated', from: 'A', to: 'B' };
    expect(notes(first)).toEqual([{ ...change, next: second }]);
    expect(notes(second)).toEqual([{ ...change, previous: first }]);
    expect(records.get(first)?.some(({ session_id }) => session_id === 'B')).toBe(false);
    await until(async () => (await store.sessions.get(first))?.state === 'exited');
    // To a frontend nobody has come or gone; what it says to the one before is for nobody.
    expect(frontend.statuses).toEqual(['claude code connected']);
    frontend.prompt('late', { to: 'A' });
    await until(() => frontend.statuses.some((text) => text.startsWith('RELAY_SESSION_UNKNOWN')));
    // The link, and with it where the agent is, survives the hub.
    agent.greeting = KNOWN;
    await hub.close();
    const next = await startTestHub({ store, port: hub.port, openRelay: true });
    await agent.say({ type: 'note', of: 'back' });
    expect(await sessionWith(next, 'back')).toBe(second);
    expect((await recordsOf(next)).get(second)?.some(({ subtype }) => subtype === 'gap')).toBe(false);
    // It goes back to where it was.
    await agent.transport.close();
    await until(async () => (await store.sessions.get(second))?.state === 'exited');
    const another = await TestAgent.dial(`${next.hub.url}/`, undefined, { lossless: false });
    await call(next.hub.url, next.token, 'GET', `/api/sessions/${second}`);
    await begin(another, 'B');
    await another.say({ type: 'note', of: 'resumed' });
    expect(await sessionWith(next, 'resumed')).toBe(second);
  });

  it('[HB1103] gets another session with /clear, and the answers there', async () => {
    const stage = await startTestHub({ openRelay: true });
    const { hub, store } = stage;
    const model = await startModel();
    const frontend = await TestFrontend.connect(`${hub.url}/ws`);
    dialAgent(`${hub.url.replace('http', 'ws')}/`, '', model.url);
    await until(() => frontend.statuses.length > 0);
    // Nobody waits for the other: the second of them is for the agent as well.
    for (const content of ['say one', '/clear', 'say two']) frontend.prompt(content);
    const last = await frontend.finds(({ type, result }) => type === 'result' && result === 'two');
    const records = await recordsOf(stage);
    expect(records.size).toBe(2);
    const said = [...records.values()].map((lines) =>
      lines.flatMap(({ result }) => (result ? [result] : [])),
    );
    expect(new Set(said.map(String))).toEqual(new Set(['one', 'two']));
    const [newest] = (await store.sessions.list({ states: ['idle', 'active'] })).items;
    const lines = records.get(newest?.id ?? '') ?? [];
    expect(lines.some(({ result }) => result === 'two')).toBe(true);
    expect(lines.every(({ session_id: id = last.session_id }) => id === last.session_id || id === '')).toBe(
      true,
    );
  });
});
