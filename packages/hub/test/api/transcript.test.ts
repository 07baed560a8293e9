import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  call,
  dialAgent,
  startModel,
  startTestHub,
  temporaryFolder,
  until,
} from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));

describe('a transcript from the hub', () => {
  it('[HB55] lets an agent elsewhere go on with the conversation', async () => {
    const { hub, store, token } = await startTestHub();
    const model = await startModel();
    const made = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const agent = dialAgent(`${hub.url.replace('http', 'ws')}/ws/s`, made.body.token, model.url, [
      '--dangerously-skip-permissions',
    ]);
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', {
      clientId: '1',
      content: 'run echo blue',
    });
    await until(async () => (await store.record.tail('s')).entries.some((entry) => said(entry, '"result"')));
    agent.kill('SIGTERM');
    await once(agent, 'exit');
    const home = temporaryFolder();
    const child = spawn(
      process.execPath,
      [AGENT, '-p', '--teleport', `${hub.url}/api/sessions/s/transcript`, 'say and red'],
      {
        cwd: home,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'scripted',
          SIGNALBOX_TOKEN: token,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(text.trim()).toBe('and red');
    const request = JSON.stringify(model.requests.at(-1)?.body);
    expect(request).toContain('run echo blue');
    expect(request).toContain('done: blue');
  });

  it('[HB320] is written line by line: what every line repeats is no longer than such things are', async () => {
    const { hub, store, token } = await startTestHub();
    await store.sessions.create('s');
    const init = { type: 'system', subtype: 'init', session_id: 'conv', cwd: `/${'x'.repeat(3_000_000)}` };
    const prompt = (n: number) => ({
      type: 'user',
      uuid: `u${n}`,
      message: { role: 'user', content: `n${n}` },
    });
    const odd =
      '{ "type":"assistant","message" : {"n":1.0,"role":"assistant"},"uuid":"odd","tool_use_result":[ 1e3 ]}';
    const lines = [
      ...Array.from({ length: 2000 }, (_, n) => JSON.stringify(prompt(n))),
      JSON.stringify(init),
      odd,
    ];
    const bytes = lines.map((line) => ({ bytes: Buffer.from(line) }));
    await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines: bytes }] });
    const { status, body } = await call(hub.url, token, 'GET', '/api/sessions/s/transcript');
    expect(status).toBe(200);
    const entries = String(body).trimEnd().split('\n');
    expect(entries).toHaveLength(2001);
    expect(JSON.parse(entries[1] ?? '')).toMatchObject({
      uuid: 'u1',
      parentUuid: 'u0',
      sessionId: 'conv',
      cwd: '',
    });
    expect(entries.at(-1)).toContain('"message": {"n":1.0,"role":"assistant"},"toolUseResult":[ 1e3 ]}');
  });

  it('[HB320] that would be too long is refused before its first line', async () => {
    const { hub, store, token } = await startTestHub();
    await store.sessions.create('s');
    const long = { type: 'user', message: { role: 'user', content: 'x'.repeat(5_000_000) } };
    for (let n = 0; n < 14; n += 1) {
      const bytes = Buffer.from(JSON.stringify({ ...long, uuid: `u${n}` }));
      await store.commit({ appends: [{ session: 's', author: { by: 'agent' }, lines: [{ bytes }] }] });
    }
    const { status, body } = await call(hub.url, token, 'GET', '/api/sessions/s/transcript');
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LONG']);
  });

  it('[HB55] is refused to those who may not watch, and of a session that is not there', async () => {
    const { hub, token } = await startTestHub();
    expect((await call(hub.url, token, 'GET', '/api/sessions/none/transcript')).status).toBe(404);
    expect((await call(hub.url, 'wrong', 'GET', '/api/sessions/none/transcript')).status).toBe(401);
  });
});

function said(entry: { kind: string; line?: { text(): string } }, words: string): boolean {
  return entry.line?.text().includes(words) === true;
}
