import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, startTestHub, temporaryFolder, tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { Log } from '../../src/base/log.ts';

const SECRET = 'sk-very-secret-7391';

async function profileStage() {
  const home = temporaryFolder();
  const said: string[] = [];
  const log = new Log({ level: 'debug', write: (line) => void said.push(line) });
  const launch = { home, program: ['false'], agents: () => [] };
  const { hub, store, token } = await startTestHub({ launch, log });
  const api = async (method: string, path: string, body?: object, as = token) =>
    call(hub.url, as, method, path, body);
  return { home, said, store, api, file: join(home, 'profiles.json') };
}

describe('profiles', () => {
  it('[AP1970] are written and not read: values are in a file of their owner alone, and in no answer, log, audit entry or database', async () => {
    const { api, file, said } = await profileStage();
    const set = { name: 'work', variables: { KEY: SECRET, REGION: 'eu' } };
    const answers = [
      await api('POST', '/api/profiles', set),
      await api('POST', '/api/profiles', { name: 'work', variables: { REGION: null, OTHER: SECRET } }),
      await api('GET', '/api/profiles'),
      await api('GET', '/api/audit'),
      await api('GET', '/api/openapi.json'),
      await api('GET', '/api/agents'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(answers[2]?.body.items).toEqual([
      { name: 'work', variables: ['KEY', 'OTHER'], updatedAt: expect.any(Number) },
    ]);
    expect(answers[3]?.body.items[0]).toMatchObject({ what: 'set profile', subject: 'work: -REGION, OTHER' });
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(SECRET);
    expect(said.join('\n')).not.toContain(SECRET);
    expect(readFileSync(file, 'utf8')).toContain(SECRET);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await api('DELETE', '/api/profiles/work')).body.name).toBe('work');
    expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
    expect((await api('DELETE', '/api/profiles/work')).body.code).toBe('PROFILE_NOT_FOUND');
  });

  it('[AP1971] what is no profile is refused without repeating it; a file that is damaged is said, and not written over', async () => {
    const { api, file, store } = await profileStage();
    for (const [name, variables] of [
      ['../up', {}],
      ['', {}],
      ['w', { '1X': SECRET }],
      ['w', { 'A=B': SECRET }],
      ['w', { SIGNALBOX_TOKEN: SECRET }],
      ['w', { A: 1 }],
      ['w', { A: `${SECRET}\u0000` }],
    ] as const) {
      const { status, body } = await api('POST', '/api/profiles', { name, variables });
      expect([status, body.code]).toEqual([400, 'REQUEST_INVALID']);
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
    const long = { name: 'w', variables: { A: 'x'.repeat(40_000), B: 'x'.repeat(40_000) } };
    expect((await api('POST', '/api/profiles', long)).body.code).toBe('PROFILE_LIMIT');
    const [drive, watch] = [
      await tokenFor(store, { scope: 'drive' }),
      await tokenFor(store, { scope: 'watch' }),
    ];
    expect((await api('GET', '/api/profiles', undefined, drive)).status).toBe(200);
    expect((await api('GET', '/api/profiles', undefined, watch)).status).toBe(403);
    expect((await api('POST', '/api/profiles', { name: 'w', variables: {} }, drive)).status).toBe(403);
    writeFileSync(file, `{"w": {"variables": {"A": "${SECRET}"`);
    const broken = await api('POST', '/api/profiles', { name: 'x', variables: { A: 'b' } });
    expect(broken.body.code).toBe('PROFILES_UNREADABLE');
    expect(JSON.stringify(broken.body)).not.toContain(SECRET);
    expect(readFileSync(file, 'utf8')).toContain(SECRET);
  });
});
