import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HubStage, runSignalbox, SIGNALBOX } from './hub-stage.ts';

const run = promisify(execFile);

describe('signalbox backup', () => {
  it('[CL1995] writes all that a running hub keeps to a file, and restore puts it back', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch('kept');
    await stage.run('run', '--session', session, 'say Before the backup');
    const file = join(stage.home, 'backup');
    const made = await stage.run('backup', file);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/backup: 1 session, .* KiB\n$/) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await stage.run('backup', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--force'),
    });
    await stage.run('run', '--session', session, 'say After the backup');
    const again = await stage.run('backup', '--force', '--json', `${file}.later`);
    expect(JSON.parse(again.stdout)).toMatchObject({ file: `${file}.later`, sessions: 1 });
    expect(await stage.run('restore', '--replace', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/A hub that runs \(pid \d+\) uses .*Nothing was changed/),
    });
    await stage.run('down', '--agents');
    expect(await stage.run('restore', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--replace'),
    });
    const restored = await stage.run('restore', '--replace', '--json', file);
    const { aside, sessions } = JSON.parse(restored.stdout);
    expect({ code: restored.code, sessions }).toEqual({ code: 0, sessions: 1 });
    expect(existsSync(join(aside, 'hub.db'))).toBe(true);
    await stage.startHub();
    expect((await stage.run('search', 'before the backup')).stdout).toContain('Before the backup');
    expect((await stage.run('search', 'after the backup')).code).toBe(1);
    // The agent goes on where the backup ends.
    expect((await stage.run('run', '--session', session, 'say Here again')).code).toBe(0);
    await stage.run('down', '--agents');
    expect((await stage.run('backup', join(stage.home, 'no-hub'))).code).toBe(0);
    const other = { ...stage.env, SIGNALBOX_HOME: join(stage.home, 'elsewhere') };
    expect((await runSignalbox(other, stage.project, 'restore', join(stage.home, 'no-hub'))).code).toBe(0);
    expect(statSync(join(stage.home, 'elsewhere', 'hub.db')).mode & 0o777).toBe(0o600);
  });

  it('[CL1996] onto a full disk, into no folder or over a device nothing is written; a bad file is not restored', async () => {
    const stage = await HubStage.start();
    const small = join(stage.home, 'small');
    mkdirSync(small);
    const disk = ['--dev-bind', '/', '/', '--size', '65536', '--tmpfs', small];
    const words = [process.execPath, SIGNALBOX, 'backup', join(small, 'b')];
    const script = 'mkdir -p "$HOME"; "$@"; echo "code $?"; ls -A "$0"';
    const { stdout, stderr } = await run('bwrap', [...disk, 'sh', '-c', script, small, ...words], {
      env: stage.env,
    });
    expect(stdout).toBe('code 1\n');
    expect(stderr).toContain('there is no room for it');
    for (const [file, why] of [
      [join(stage.home, 'none', 'b'), 'there is no such folder'],
      [stage.project, 'it is no plain file'],
    ])
      expect(await stage.run('backup', '--force', file ?? '')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(why ?? ''),
      });
    expect((await stage.run('backup')).code).toBe(2);
    expect((await stage.run('restore', 'a', 'b')).code).toBe(2);
    await stage.run('down');
    const data = join(stage.home, 'data');
    const before = [readdirSync(data), readFileSync(join(data, 'hub.db')).toString('base64')];
    const bad = join(stage.home, 'bad');
    writeFileSync(bad, 'a letter to my aunt\n'.repeat(1000));
    for (const file of [bad, join(stage.home, 'none')])
      expect(await stage.run('restore', '--replace', file)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/is no backup that can be restored: .* Nothing was changed/),
      });
    expect([readdirSync(data), readFileSync(join(data, 'hub.db')).toString('base64')]).toEqual(before);
  });
});
