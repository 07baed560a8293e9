import { assistant, delta, TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { TestViewer, type Told } from './test-viewer.ts';

describe('/api/stream', () => {
  it('[HB40] gives a cursor exactly the rest, also while the agent goes on', async () => {
    const { hub, token, agent } = await stage();
    const talking = (async () => {
      for (let n = 1; n <= 500; n += 1) await agent.say(assistant(`n${n}`));
    })();
    const seen: Told[] = [];
    const isLast = ({ message }: Told): boolean => message.message?.content[0].text === 'n500';
    while (!seen.some(isLast)) {
      const cursor = seen.length > 0 ? { seq: seen.at(-1).seq, check: seen.at(-1).check } : undefined;
      const viewer = await TestViewer.connect(hub.url, token);
      await viewer.ask({ type: 'subscribe', session: 's', ...(cursor ? { cursor } : { tail: 10_000 }) });
      await until(() => viewer.entries.length > 5 || viewer.entries.some(isLast));
      viewer.socket.terminate();
      await until(() => viewer.closed);
      seen.push(...viewer.entries);
    }
    await talking;
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1));
    expect(seen.filter(({ message }) => message.type === 'assistant')).toHaveLength(500);
  });

  it('[HB41] opens a session at its tail', async () => {
    const { hub, store, token, agent } = await stage();
    for (let n = 1; n <= 50; n += 1) await agent.say(assistant(`n${n}`));
    await until(async () => (await store.record.tail('s')).last >= 51);
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's', tail: 5 });
    const { first, last } = await viewer.find(({ type }) => type === 'snapshot');
    expect(last - first).toBe(4);
    expect(viewer.entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5].map((n) => first - 1 + n));
  });

  it('[LV1400] ends a subscription that is taken back in the same moment, and begins the one that follows', async () => {
    const { hub, store, token } = await stage();
    // Nobody has it open yet, so that it has to be read first.
    await store.sessions.create('later');
    const viewer = await TestViewer.connect(hub.url, token);
    const lines = (...messages: object[]): void =>
      viewer.socket.send(messages.map((message) => JSON.stringify(message)).join('\n'));
    lines(
      { type: 'subscribe', id: 'a', session: 'later' },
      { type: 'unsubscribe', id: 'b', session: 'later' },
    );
    await viewer.find(({ id }) => id === 'a');
    const { body } = await call(hub.url, token, 'GET', '/api/sessions/later/viewers');
    expect(body).toEqual({ items: [] });
    for (let n = 1; n <= 50; n += 1) {
      lines(
        { type: 'unsubscribe', id: `u${n}`, session: 's' },
        { type: 'subscribe', id: `s${n}`, session: 's', tail: 5 },
      );
      if (n % 3 === 0) await viewer.find(({ id }) => id === `s${n}`);
    }
    await viewer.find(({ id }) => id === 's50');
    const last = viewer.told.findLastIndex(({ type }) => type === 'snapshot');
    expect(viewer.told[last]).toMatchObject({ session: { id: 's' }, viewers: [{ person: 'Ada' }] });
  });

  it('[HB42] answers a cursor that cannot be honoured with a reset', async () => {
    const { hub, token } = await stage();
    const reasonFor = async (cursor: object): Promise<string> => {
      const viewer = await TestViewer.connect(hub.url, token);
      await viewer.ask({ type: 'subscribe', session: 's', cursor });
      await viewer.find(({ type }) => type === 'snapshot');
      return (await viewer.find(({ type }) => type === 'reset')).reason;
    };
    expect(await reasonFor({ seq: 1, check: 1 })).toBe('rewritten');
    expect(await reasonFor({ seq: 9999, check: 1 })).toBe('ahead');
    expect(await reasonFor({ uuid: 'nobody' })).toBe('uuid-unknown');
    // As viewers of earlier versions have them.
    expect(await reasonFor({ epoch: 'AAAAAAAAAAAA', seq: 1 })).toBe('cursor-unknown');
  });

  it('[HB43] shows deltas, and the half-written reply to those who come late, and keeps none of them', async () => {
    const { hub, store, token, agent } = await stage();
    const early = await TestViewer.connect(hub.url, token);
    await early.ask({ type: 'subscribe', session: 's' });
    for (const text of ['half', ' written']) await agent.say(delta(text));
    await until(() => previews(early).length === 2);
    const late = await TestViewer.connect(hub.url, token);
    await late.ask({ type: 'subscribe', session: 's' });
    await until(() => previews(late).length === 2);
    expect(previews(late)).toEqual(['half', ' written']);
    await agent.say(assistant('half written'));
    await late.find(({ message }) => message?.type === 'assistant');
    const after = await TestViewer.connect(hub.url, token);
    await after.ask({ type: 'subscribe', session: 's' });
    expect(previews(after)).toEqual([]);
    const { entries } = await store.record.window('s', 1);
    expect(entries.some((entry) => entry.kind === 'line' && entry.line.head().type === 'stream_event')).toBe(
      false,
    );
  });

  it('[HB44] tells what a session is doing from what is said in it', async () => {
    const { hub, token, agent } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    const states = (): string[] =>
      viewer.told.filter(({ type }) => type === 'activity').map(({ state }) => state);
    await agent.say(delta('x'));
    await until(() => states().at(-1) === 'active');
    await agent.ask('r1');
    await until(() => states().at(-1) === 'asking');
    await viewer.ask({ type: 'answer', session: 's', request: 'r1', answer: { behavior: 'deny' } });
    await until(() => states().at(-1) === 'active');
    await agent.say({ type: 'result', subtype: 'success', session_id: 'a', uuid: 'u' });
    await until(() => states().at(-1) === 'idle');
    await agent.transport.close();
    await until(() => states().at(-1) === 'exited');
    expect(states()).toEqual(['active', 'asking', 'active', 'idle', 'exited']);
  });

  it('[HB45] passes on what the agent wrote byte for byte, and what is no JSON as text', async () => {
    const { hub, token, agent } = await stage();
    const odd = '{"type":"odd","n":1.0,"later":{"b":1,"a":[1e3]},"type_":"\\u0041"}';
    await agent.transport.send(odd);
    await agent.transport.send('},"type":"forged"');
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: 's' });
    await viewer.find(({ raw }) => raw === '},"type":"forged"');
    expect(viewer.lines.some((line) => line.endsWith(`,"message":${odd}}`))).toBe(true);
    const events = await fetch(`${hub.url}/api/sessions/s/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await events.text()).toContain(`"message":${odd}}`);
  });

  it('[HB46] closes a viewer that does not read, and the others go on', async () => {
    const { hub, token, agent } = await stage();
    const slow = await TestViewer.connect(hub.url, token);
    await slow.ask({ type: 'subscribe', session: 's' });
    slow.socket.pause();
    const fast = await TestViewer.connect(hub.url, token);
    await fast.ask({ type: 'subscribe', session: 's' });
    const long = 'x'.repeat(1024 * 1024);
    for (let n = 1; n <= 40; n += 1) await agent.say(assistant(`${n} ${long}`));
    await until(() => fast.entries.filter(({ message }) => message.type === 'assistant').length === 40);
    slow.socket.resume();
    await until(() => slow.closed);
    expect(slow.closed?.code).toBe(4008);
    expect(slow.entries.length).toBeLessThan(fast.entries.length);
    const back = await TestViewer.connect(hub.url, token);
    await back.ask({ type: 'subscribe', session: 's', cursor: slow.cursor });
    const whole = [...slow.entries, ...back.entries].map(({ seq }) => seq);
    expect(whole).toEqual(Array.from({ length: whole.length }, (_, n) => n + 1));
    expect(back.cursor.seq).toBe(fast.cursor.seq);
  });

  it('[HB47] answers everything that a viewer says, and lets it do no more than its token', async () => {
    const { hub, store } = await stage();
    const watcher = await tokenFor(store, { scope: 'watch', session: 's' });
    const viewer = await TestViewer.connect(hub.url, watcher);
    viewer.socket.send('not json');
    await viewer.find(({ code }) => code === 'REQUEST_INVALID');
    expect(await viewer.ask({ type: 'dance' })).toMatchObject({ code: 'REQUEST_INVALID' });
    expect(await viewer.ask({ type: 'subscribe', session: 's' })).toMatchObject({ type: 'ack' });
    expect(await viewer.ask({ type: 'subscribe', session: 'other' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await viewer.ask({ type: 'user-message', session: 's', content: 'x' })).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await viewer.ask({ type: 'cancel', session: 's' })).toMatchObject({ code: 'FORBIDDEN' });
    await viewer.ask({ type: 'unsubscribe', session: 's' });
  });

  it('[HB48] takes prompts and control requests, and tells of sessions that come and change', async () => {
    const { hub, token, agent } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    await viewer.ask({ type: 'subscribe', session: '*' });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 'other' });
    await viewer.find(({ type, session }) => type === 'session' && session.id === 'other');
    const ack = await viewer.ask({ type: 'user-message', id: 'p1', session: 's', content: 'hello' });
    expect(ack.result).toMatchObject({ clientId: 'p1', state: 'waiting' });
    await agent.hears(({ message }) => message?.content === 'hello');
    const cancelled = viewer.ask({ type: 'cancel', session: 's' });
    const { request_id } = await agent.hears(({ request }) => request?.subtype === 'interrupt');
    await agent.say({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: { still_queued: [] } },
    });
    expect(await cancelled).toMatchObject({ type: 'ack', result: { still_queued: [] } });
    await viewer.find(
      ({ type, session }) => type === 'session' && session.id === 's' && session.title === 'hello',
    );
  });

  it('[LV814] a session has the start of its last prompt in one line, and its first one as its title', async () => {
    const { hub, token, store } = await stage();
    const viewer = await TestViewer.connect(hub.url, token);
    const say = async (id: string, content: unknown) =>
      viewer.ask({ type: 'user-message', id, session: 's', content });
    await say('p1', 'hello');
    await say('p2', `and \n\n then ${'x'.repeat(1000)}`);
    await until(async () => (await store.sessions.get('s'))?.lastPrompt?.startsWith('and then xxx'));
    const { title, lastPrompt } = (await store.sessions.get('s')) ?? {};
    expect(title).toBe('hello');
    expect(lastPrompt).toHaveLength(200);
    // A picture alone says nothing to look for.
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    await say('p3', [{ type: 'image', source }]);
    await say('p4', 'the last');
    await until(async () => (await store.sessions.get('s'))?.lastPrompt === 'the last');
  });
});

async function stage() {
  const { hub, store, token } = await startTestHub();
  const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
  await until(async () => (await store.sessions.get('s'))?.state === 'idle');
  return { hub, store, token, agent };
}

function previews(viewer: TestViewer): string[] {
  return viewer.told.filter(({ type }) => type === 'preview').map(({ message }) => message.event.delta.text);
}
