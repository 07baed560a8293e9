import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

describe('folders that a person trusts', () => {
  it('[AP240] are listed, looked at, trusted and left by those who may do everything, and by nobody else', async () => {
    const home = realpathSync(temporaryFolder());
    const folder = join(home, 'project');
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ env: { A: '1' } }));
    const hub = await HubProcess.start(home, await freePort());
    const ask = (method: string, path: string, body?: unknown, token = hub.token) =>
      call(hub.url, token, method, path, body);
    const path = `/api/trusted-folders?folder=${encodeURIComponent(folder)}`;
    const looked = await ask('GET', path);
    expect(looked.body).toEqual({
      items: [],
      asked: { folder, root: folder, isTrusted: false, withheld: ['env (.claude/settings.json)'] },
    });
    expect((await ask('POST', '/api/trusted-folders', { folder })).body).toMatchObject({
      isTrusted: true,
      withheld: [],
    });
    expect((await ask('GET', '/api/trusted-folders')).body.items).toEqual([folder]);
    expect((await ask('DELETE', path)).body.isTrusted).toBe(false);
    expect((await ask('GET', '/api/trusted-folders')).body.items).toEqual([]);
    const nowhere = await ask('POST', '/api/trusted-folders', { folder: join(home, 'nowhere') });
    expect(nowhere.body.code).toBe('FOLDER_NOT_FOUND');

    const { body } = await ask('POST', '/api/devices', { person: 'Bob', name: 'phone', scope: 'drive' });
    for (const [method, where, sent] of [
      ['GET', path],
      ['POST', '/api/trusted-folders', { folder }],
      ['DELETE', path],
      ['GET', '/api/sessions/any/trust'],
    ] as const)
      expect((await ask(method, where, sent, body.token)).status).toBe(403);
    const audit = await until(async () => (await ask('GET', '/api/audit')).body.items);
    expect(audit.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['trust folder', 'distrust folder']),
    );
  });
});
