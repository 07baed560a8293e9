import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('signalbox storage', () => {
  it('[CL2008] shows what the data takes and what is kept, and takes away what is old', async () => {
    const stage = await HubStage.start();
    await stage.launch();
    const shown = await stage.run('storage');
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d.* in use, .* on the disk\nEverything is kept for good.\n$/),
    });
    const config = join(stage.home, 'data', 'config.json');
    writeFileSync(config, JSON.stringify({ name: ['here'], retention: { eventDays: 7, databaseMiB: 100 } }));
    expect((await stage.run('storage')).stdout).toMatch(/ of 100 MiB, [^]*entries of records: 7 days\n$/);
    expect(await stage.run('storage', 'sweep', '--trial')).toMatchObject({
      code: 0,
      stdout: '  nothing would be taken away\n',
    });
    const { stdout } = await stage.run('storage', 'sweep', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ trimmed: [], isOverLimit: false });
    expect((await stage.run('storage')).stdout).toMatch(/Last sweep, .*:\n {2}nothing was taken away\n$/);
    const { api } = stage;
    await api.ask('PATCH /api/storage', { body: { retention: { eventDays: null, promptDays: 8 } } });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      name: ['here'],
      retention: { databaseMiB: 100, promptDays: 8 },
    });
    expect((await stage.run('storage')).stdout).toContain('  prompts: 8 days\n');
    writeFileSync(config, '{"retention":');
    await expect(api.ask('GET /api/storage')).rejects.toMatchObject({ reason: 'SETTING_INVALID' });
    writeFileSync(config, '{}');
    expect((await stage.run('doctor')).stdout).toMatch(/✓ storage +\d.* in use/);
    expect((await stage.run('storage', 'sweep', 'now')).code).toBe(2);
    expect((await stage.run('storage', '--trial')).code).toBe(2);
    // What is listed and ended, for programs.
    expect(JSON.parse((await stage.run('link', '--json')).stdout)).toMatchObject({ url: expect.any(String) });
    expect(JSON.parse((await stage.run('terminal', '--list', '--json')).stdout)).toEqual([]);
    const down = JSON.parse((await stage.run('down', '--agents', '--json')).stdout);
    expect(down).toMatchObject({ hub: expect.any(Number), left: { agents: [], terminals: 0 } });
    writeFileSync(config, JSON.stringify({ retention: { eventDays: 'many' } }));
    expect(await stage.run('up')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"retention.eventDays"'),
    });
  });
});
