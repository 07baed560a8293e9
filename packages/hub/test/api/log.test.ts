import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SIGNALBOX } from '@signalbox/testing/hub/hub-process';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { browserOf, call, startTestHub, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/base/log.ts';

describe('the log', () => {
  it('[AP26] is a line of JSON for each event, from the level on that is asked for', async () => {
    const lines: string[] = [];
    const { hub, token } = await startTestHub({
      log: new Log({ write: (line) => lines.push(line), level: 'debug' }),
    });
    await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    const events = lines.map((line) => JSON.parse(line));
    for (const { time, level } of events) {
      expect(new Date(time).toISOString()).toBe(time);
      expect(['debug', 'info', 'warn', 'error']).toContain(level);
    }
    expect(events).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'hub started', url: hub.url }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ level: 'info', event: 'decision', what: 'create session', person: 'Ada' }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ level: 'debug', event: 'request', path: '/api/sessions', status: 201 }),
    );
    const few: string[] = [];
    const quiet = new Log({ write: (line) => few.push(line), level: 'warn', form: 'words' });
    quiet.info('nothing');
    quiet.warn('trouble', { session: 's', code: 'STORE_FULL', why: null });
    quiet.failure(new TypeError('what nobody may read'), { path: '/x' });
    expect(few.pop()).toMatch(/error failure path=\/x name=TypeError where=at .*log\.test\.ts/);
    expect(few.map((line) => line.slice(9))).toEqual(['warn  trouble session=s code=STORE_FULL\n']);
  });

  it('[AP27] holds no token, no link, no cookie, and nothing that people or agents say', async () => {
    let log = '';
    const write = (line: string): void => {
      log += line;
    };
    const { hub, store, token } = await startTestHub({ log: new Log({ write, level: 'debug' }) });
    const grant = { person: 'Bob', name: 'phone', scope: 'drive', session: null } as const;
    const links = await Promise.all([1, 2].map(() => hub.createSignInLink(grant)));
    const [first = '', second = ''] = links.map((link) => link.split('#')[1] ?? '');
    const signed = await call(hub.url, '', 'POST', '/api/sign-in', { link: first });
    await fetch(`${hub.url}/sign-in?token=${second}`);
    await call(hub.url, '', 'POST', '/api/sign-in', { link: first });
    const { cookie, bearer } = browserOf(signed);
    const headers = { cookie, authorization: `Bearer ${bearer}` };
    expect((await fetch(`${hub.url}/api/me?x=${bearer}`, { headers })).status).toBe(200);
    const made = await call(hub.url, token, 'POST', '/api/sessions', { id: 's' });
    await call(hub.url, token, 'GET', `/api/sessions/${made.body.token}`);
    const agent = await TestAgent.dial(`${hub.url}/ws/s?token=${made.body.token}`, '');
    const content = 'the launch code is 4711';
    await call(hub.url, token, 'POST', '/api/sessions/s/prompts', { clientId: 'p', content });
    await agent.hears(({ type }) => type === 'user');
    await agent.play('spoken by an agent');
    await agent.ask('r1', { command: 'cat secret-plan' });
    await until(async () => (await store.permissions.listOpen({})).items.length === 1);
    await call(hub.url, token, 'POST', '/api/sessions/s/permissions/r1/answer', {
      behavior: 'deny',
      message: 'words for the agent',
    });
    expect(log).toContain('"event":"signed in"');
    expect(log).toContain('"event":"sign-in failed"');
    expect(log).toContain('"what":"deny"');
    expect(log).toContain('[secret]');
    for (const secret of [
      token,
      made.body.token,
      first,
      second,
      cookie.split('=')[1] ?? '',
      bearer,
      '4711',
      'spoken by',
      'secret-plan',
    ]) {
      expect(secret.length).toBeGreaterThan(3);
      expect(log.includes(secret)).toBe(false);
    }
    expect(log).not.toContain('words for the agent');
  });

  it('[AP27] tells trouble by its code: messages may quote anybody', async () => {
    const lines: string[] = [];
    const { hub, store, token } = await startTestHub({ log: new Log({ write: (line) => lines.push(line) }) });
    const agent = await TestAgent.dial(`${hub.url}/ws/s`, token);
    await until(async () => (await store.sessions.get('s'))?.state === 'idle');
    await store.close();
    await agent.play('spoken by an agent');
    const troubles = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'trouble');
    await until(() => troubles().length > 0);
    for (const { time: _, ...trouble } of troubles())
      expect(trouble).toEqual({ level: 'warn', event: 'trouble', session: 's', code: 'STORE_CLOSED' });
  });

  it('[AP28] of signalbox up goes to stderr, at the level of SIGNALBOX_LOG, which must be one', async () => {
    const home = temporaryFolder();
    const run = async (level: string): Promise<{ code: unknown; stderr: string }> => {
      const child = spawn(process.execPath, [SIGNALBOX, 'up', '--port', '0', '--no-welcome'], {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          SIGNALBOX_HOME: join(home, level),
          SIGNALBOX_LOG: level,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.stdout.once('data', () => child.kill('SIGINT'));
      const [code] = await once(child, 'close');
      return { code, stderr };
    };
    const [info, off, wrong] = await Promise.all(['info', 'off', 'loud'].map(run));
    expect(
      info?.stderr
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).event),
    ).toEqual(['hub started', 'hub closed']);
    expect(off).toEqual({ code: 0, stderr: '' });
    expect(wrong?.code).not.toBe(0);
    expect(wrong?.stderr).toContain('debug, info, warn, error, off');
  });
});
