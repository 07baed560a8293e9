import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@signalbox/hub';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { HubStage, runSignalbox } from './hub-stage.ts';

describe.runIf(HAS_POSTGRES)('signalbox store copy', () => {
  it('[CL3150] moves a hub to PostgreSQL and back while its agent keeps running: nothing that was said is missing', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const stage = await HubStage.start();
    const session = await stage.launch('moved');
    const data = join(stage.home, 'data');
    expect((await stage.run('run', '--session', session, 'say Before the move')).code).toBe(0);
    const running = await stage.run('store', 'copy', '--to', url);
    expect(running).toMatchObject({ code: 3, stderr: '' });
    expect(running.stdout).toMatch(/1 session; \d+ entries .*each compared.*\nThe copy is not finished/);
    expect((await stage.run('run', '--session', session, 'say During the move')).code).toBe(0);
    const bridges = await stage.bridges();
    await stage.run('down');
    // No hub may use a copy that is not finished.
    expect(await stage.run('up', '--port', '0', '--database', url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not finished[^]*signalbox store copy/),
    });
    const last = await stage.run('store', 'copy', '--to', url, '--json');
    expect(last.code).toBe(0);
    const { to, ...report } = JSON.parse(last.stdout);
    expect(report).toMatchObject({ isFinished: true, sessions: 1, from: join(data, 'hub.db') });
    expect(report.entries).toBeGreaterThan(0);
    expect(to).toMatch(/^postgres:\/\/signalbox@127\.0\.0\.1:\d+\/test_/);
    expect(readdirSync(data).filter((name) => name.includes('snapshot'))).toEqual([]);
    for (const { stdout } of [running, last]) expect(stdout).not.toContain(new URL(url).password);
    const again = await stage.run('store', 'copy', '--to', url);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has data already') });

    await stage.run('config', 'set', 'database', url);
    await stage.startHub();
    expect((await stage.run('run', '--session', session, 'say In PostgreSQL')).code).toBe(0);
    expect(await stage.bridges()).toEqual(bridges);
    const folder = join(stage.home, 'back');
    expect((await stage.run('store', 'copy', '--from', url, '--to', folder)).code).toBe(3);
    await stage.run('down', '--agents');
    const back = await stage.run('store', 'copy', '--from', url, '--to', folder);
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('The copy is finished') });
    expect(existsSync(join(folder, 'hub.db'))).toBe(true);
    const doctor = await runSignalbox({ ...stage.env, SIGNALBOX_HOME: folder }, stage.project, 'doctor');
    expect(doctor.stdout).toMatch(/database +1 sessions?, \d+ entries, all as they were written/);
    const store = await openSqliteStore(join(folder, 'hub.db'));
    const { entries } = await store.record.window(session, 1);
    await store.close();
    const said = entries.map((entry) => (entry.kind === 'line' ? entry.line.text() : entry.kind)).join('\n');
    for (const words of ['Before the move', 'During the move', 'In PostgreSQL'])
      expect(said).toContain(words);
    const elsewhere = { ...stage.env, SIGNALBOX_HOME: folder };
    const exported = await runSignalbox(elsewhere, stage.project, 'store', 'copy', '--to', url);
    expect(exported.code).toBe(1);
  });

  it('[CL3151] says what is wrong with a command line, a home without data and a database that is away', async () => {
    const stage = await HubStage.start();
    await stage.run('down');
    for (const words of [
      [],
      ['move'],
      ['copy'],
      ['copy', '--to', '/tmp/folder'],
      ['copy', '--from', '/tmp/folder'],
    ])
      expect((await stage.run('store', ...words)).code).toBe(2);
    const away = await stage.run('store', 'copy', '--to', 'postgres://ann:secr3t@127.0.0.1:1/x');
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('does not answer') });
    expect(away.stderr).not.toContain('secr3t');
    const nowhere = { ...stage.env, SIGNALBOX_HOME: join(stage.home, 'nowhere') };
    const nothing = await runSignalbox(nowhere, stage.project, 'store', 'copy', '--to', 'postgres://a@b/c');
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringMatching(/There is no .*hub\.db/) });
  });
});
