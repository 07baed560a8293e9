import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { assistant, TestAgent } from '@signalbox/testing/hub/test-agent';
import { type Answer, browserOf, call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const DISK_BYTES = 12 * 1024 * 1024;
const BALLAST = '6M';
const LINES = 40;

describe('signalbox up', () => {
  it('[AP42] with a full disk says so and loses nothing, and goes on by itself when there is room', async () => {
    const folder = temporaryFolder();
    const [disk, room] = [join(folder, 'disk'), join(folder, 'room')];
    mkdirSync(disk);
    const script = `
      head -c ${BALLAST} /dev/zero > ${disk}/ballast
      (while [ ! -e ${room} ]; do sleep 0.1; done; rm ${disk}/ballast) &
      exec "$@"`;
    const small = [
      '--die-with-parent',
      '--dev-bind',
      '/',
      '/',
      '--size',
      String(DISK_BYTES),
      '--tmpfs',
      disk,
    ];
    const { output } = runUp(['bwrap', ...small, 'sh', '-c', script, 'sh', ...UP], disk);
    const url = await until(() => /is up at (\S+)/.exec(output())?.[1]);
    const link = /sign-in#(\S+)/.exec(output())?.[1];
    const signed = await call(url, '', 'POST', '/api/sign-in', { link });
    const { cookie, bearer } = browserOf(signed);
    const token = cookie.split('=')[1] + bearer;
    const agent = await TestAgent.dial(`${url}/ws/s`, token);
    await until(async () => (await call(url, token, 'GET', '/api/sessions/s')).body.state === 'idle');
    const prompt = (n: number): Promise<Answer> =>
      call(url, token, 'POST', '/api/sessions/s/prompts', {
        clientId: `p${n}`,
        content: 'x'.repeat(200_000),
      });
    const full = await until(async () => {
      const answer = await prompt(Math.random());
      return answer.status === 201 ? undefined : answer;
    });
    expect(full).toMatchObject({ status: 507, body: { code: 'STORE_FULL' } });
    const said = Array.from({ length: LINES }, (_, n) => `line ${n} ${'y'.repeat(50_000)}`);
    const saying = (async () => {
      for (const text of said) await agent.say(assistant(text));
    })();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await call(url, token, 'GET', '/api/sessions')).body.items).toHaveLength(1);
    writeFileSync(room, '');
    await saying;
    const recorded = async (): Promise<string[]> => {
      const { entries } = (await call(url, token, 'GET', '/api/sessions/s/events?limit=1000')).body;
      return entries.flatMap(({ message }: Answer['body']) =>
        message?.type === 'assistant' ? [message.message.content[0].text] : [],
      );
    };
    await until(async () => (await recorded()).length >= LINES);
    expect(await recorded()).toEqual(said);
    await until(async () => (await prompt(1)).status === 201);
  });

  it('[AP43] with a database of a newer version says so, and leaves it alone', async () => {
    const home = temporaryFolder();
    const file = join(home, 'hub.db');
    await (await openSqliteStore(file)).close();
    const newer = new Libsql(file);
    newer.exec('PRAGMA user_version = 999');
    newer.close();
    const { exited, errors } = runUp(UP, home);
    expect((await exited)[0]).not.toBe(0);
    expect(errors()).toContain('newer Signalbox');
  });
});
