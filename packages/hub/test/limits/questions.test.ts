import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { importSession } from '../../src/store/session-file.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

const MIB = 1024 * 1024;

describe('questions that are large', () => {
  it('[HB303] one that is too long is refused, the record has it with a note, and the next is asked', async () => {
    const { agent, store } = await stage();
    await agent.ask('long', { text: 'x'.repeat(LIMITS.askBytes.most) });
    expect(await answerTo(agent, 'long')).toMatchObject({ subtype: 'error', error_code: 'ASK_TOO_LONG' });
    await agent.ask('short');
    await until(async () => (await store.permissions.get('s', 'short'))?.state === 'open');
    expect(await store.permissions.get('s', 'long')).toBeUndefined();
    await until(async () => (await notesOf(store)).includes('ASK_TOO_LONG'));
  });

  it('[HB372] one whose id no store can keep is refused, and the next is asked', async () => {
    const { agent, store } = await stage();
    for (const id of ['a\u0000b', '\ud800', 'x'.repeat(LIMITS.requestIdLength.most + 1), '']) {
      await agent.ask(id);
      expect(await answerTo(agent, id)).toMatchObject({ subtype: 'error' });
    }
    await agent.ask('a');
    await until(async () => (await store.permissions.get('s', 'a'))?.state === 'open');
  });

  it('[HB432] an answer of an agent that is too long fails whoever asked, at once', async () => {
    const { agent, api } = await stage();
    const asked = api('POST', '/api/sessions/s/control', { subtype: 'mcp_status' });
    const { request_id } = await agent.hears(({ request }) => request?.subtype === 'mcp_status');
    const response = { text: 'x'.repeat(LIMITS.askBytes.most) };
    await agent.say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
    const { status, body } = await asked;
    expect(status).toBe(422);
    expect(body.code).toBe('CONTROL_REFUSED');
  });

  it.each([
    ['"type":"stream_event","type":"note"', 'note'],
    ['"type":"assistant","type":"control_request"', 'control_request'],
  ])('[HB433] a line with two types is what its parse says: %s', async (types, type) => {
    const { agent, store } = await stage();
    const request = '"request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}';
    await agent.transport.send(`{${types},"request_id":"twice",${request}}`);
    await agent.say({ type: 'note', uuid: 'after' });
    await until(async () => (await store.record.locate('s', 'after')) !== undefined);
    const { entries } = await store.record.tail('s', 10);
    const kept = entries.flatMap((entry) => (entry.kind === 'line' ? entry.line.text() : []));
    expect(kept.filter((text) => text.includes('"twice"'))).toHaveLength(1);
    const asked = await store.permissions.get('s', 'twice');
    expect(asked?.state).toBe(type === 'control_request' ? 'open' : undefined);
  });

  it('[HB434] prompts that wait have a limit of bytes together, and no id that a store would change', async () => {
    const { api } = await stage();
    const send = (session: string, clientId: string, content: string) =>
      api('POST', `/api/sessions/${session}/prompts`, { clientId, content });
    await api('POST', '/api/sessions', { id: 'alone' });
    const text = 'x'.repeat(24 * MIB);
    expect((await send('alone', 'a', text)).status).toBe(201);
    expect((await send('alone', 'b', text)).status).toBe(201);
    expect(await send('alone', 'c', text)).toMatchObject({ status: 413, body: { code: 'STORE_LIMIT' } });
    expect((await send('alone', 'd', 'short')).status).toBe(201);
    for (const id of ['a\u0000b', '\ud800']) expect((await send('alone', id, 'x')).status).toBe(400);
  });

  it('[HB435] facts that come by import have the same limit as those that an agent tells', async () => {
    const { store } = await stage();
    const long = 'x'.repeat(LIMITS.factLength.most + 1);
    const session = { id: 'old', title: long, folder: long, agent: 'a', model: long, mode: null };
    const exit = { code: 1, signal: long, stderr: 'e'.repeat(MIB) };
    const file = [JSON.stringify({ signalbox: 1, session: { ...session, exit } })];
    const imported = await importSession(store, file);
    expect(imported).toMatchObject({ title: null, folder: null, agent: 'a', model: null });
    expect(imported.exit).toMatchObject({ code: 1, signal: null });
    expect(imported.exit?.stderr.length).toBeLessThan(MIB);
  });

  it('[HB371] one of too many values is refused, and the next is asked', async () => {
    const { agent, store } = await stage();
    await agent.ask('wide', { list: Array.from({ length: LIMITS.bodyValues.most }, () => 1) });
    expect(await answerTo(agent, 'wide')).toMatchObject({ subtype: 'error', error_code: 'TOO_MANY_VALUES' });
    await agent.ask('short');
    await until(async () => (await store.permissions.get('s', 'short'))?.state === 'open');
    await until(async () => (await notesOf(store)).includes('TOO_MANY_VALUES'));
  });

  it('[HB303] beyond the bytes of a session, and of all, more is refused until something is answered', async () => {
    const { agent, store, api, dial } = await stage();
    const text = 'x'.repeat(3.9 * MIB);
    const ofSession = Math.floor(LIMITS.sessionAskBytes.most / (3.9 * MIB));
    for (let n = 0; n < ofSession; n += 1) await agent.ask(`q${n}`, { text });
    await until(async () => (await store.permissions.countOpen()) === ofSession);
    await agent.ask('more', { text });
    expect(await answerTo(agent, 'more')).toMatchObject({ error_code: 'ASK_LIMIT' });
    await until(async () => (await notesOf(store)).includes('ASK_LIMIT'));
    const answered = await api('POST', '/api/sessions/s/permissions/q0/answer', { behavior: 'deny' });
    expect(answered.status).toBe(200);
    await agent.ask('again', { text });
    await until(async () => (await store.permissions.get('s', 'again'))?.state === 'open');
    const others = Math.floor(LIMITS.allAskBytes.most / (ofSession * 3.9 * MIB));
    for (let session = 1; session < others; session += 1) {
      const other = await dial(`o${session}`);
      for (let n = 0; n < ofSession; n += 1) await other.ask(`q${n}`, { text });
    }
    await until(async () => (await store.permissions.countOpen()) === others * ofSession);
    const last = await dial('last');
    await last.ask('q', { text });
    expect(await answerTo(last, 'q')).toMatchObject({ error_code: 'ASK_LIMIT' });
    // All of them can be listed, page by page, and no page is longer than a question may be.
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const query: string = after === undefined ? '' : `?after=${after}`;
      const { status, body } = await api('GET', `/api/permissions${query}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThan(2 * LIMITS.askBytes.most);
      for (const { session, requestId } of body.items) seen.push(`${session}/${requestId}`);
      after = body.next;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(others * ofSession);
    expect(seen).toHaveLength(others * ofSession);
  });

  it('[HB304] what an agent says of its session is listed up to a length, and no longer', async () => {
    const { agent, store, api } = await stage();
    const init = { type: 'system', subtype: 'init', session_id: 'a', model: 'm' };
    await agent.say({ ...init, cwd: `/${'x'.repeat(27 * MIB)}` });
    await agent.say({ ...init, cwd: `/${'x'.repeat(LIMITS.factLength.most)}`, permissionMode: 'plan' });
    await until(async () => (await store.sessions.get('s'))?.mode === 'plan');
    const { body } = await api('GET', '/api/sessions');
    expect(JSON.stringify(body).length).toBeLessThan(1000);
    expect(body.items[0]).toMatchObject({ id: 's', folder: null, model: 'm', mode: 'plan' });
    await until(async () => (await notesOf(store)).filter((code) => code === 'FACT_TOO_LONG').length === 2);
  });
});

async function answerTo(agent: TestAgent, id: string): Promise<unknown> {
  return (await agent.hears(({ response }) => response?.request_id === id)).response;
}

/** The codes of what the hub has not read. */
async function notesOf(store: Store): Promise<string[]> {
  const { entries } = await store.record.tail('s', 10);
  return entries.flatMap((entry) => {
    if (entry.kind !== 'line' || entry.author.by !== 'hub') return [];
    const note: { subtype: string; code: string } = JSON.parse(entry.line.text());
    return note.subtype === 'unread' ? [note.code] : [];
  });
}

async function stage() {
  const store = await openSqliteStore(join(temporaryFolder(), 'hub.db'));
  const { hub, token } = await startTestHub({ store });
  const dial = async (session: string) => {
    const agent = await TestAgent.dial(`${hub.url}/ws/${session}`, token);
    await until(async () => (await store.sessions.get(session))?.state === 'idle');
    return agent;
  };
  const api = (method: string, path: string, body?: unknown) => call(hub.url, token, method, path, body);
  return { store, dial, api, agent: await dial('s') };
}
