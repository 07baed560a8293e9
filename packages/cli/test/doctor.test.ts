import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { wrapWords } from '../src/wrap-words.ts';
import { HubStage, runSignalbox, SIGNALBOX } from './hub-stage.ts';

interface Finding {
  name: string;
  state: string;
  says: string;
  advice?: string;
}

function byName(stdout: string): Map<string, Finding> {
  const findings: Finding[] = JSON.parse(stdout);
  return new Map(findings.map((finding) => [finding.name, finding]));
}

describe('what the doctor says', () => {
  it('[CL290] is broken at words, under what was said first', async () => {
    expect(wrapWords('no claude is in PATH', 9, 2)).toBe('no claude\n  is in\n  PATH');
    expect(wrapWords('a-very-long-word and more', 8, 0)).toBe('a-very-long-word\nand more');
    const stage = await HubStage.start();
    const pane = await stage.openAt(70, 'doctor');
    await pane.see('exit code');
    expect(await pane.all()).toMatch(/^✓ database {9}in use by .*\n {19}\S/m);
  });
});

describe('signalbox doctor', () => {
  it('[CL22] finds a machine with a hub well, tells no key, and looks through the record when the hub is down', async () => {
    const stage = await HubStage.start();
    await stage.run('run', '--agent', 'signalbox-agent', 'say something to keep');
    const { code, stdout } = await stage.run('doctor');
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ hub              ${stage.url}`);
    expect(stdout).toContain('ANTHROPIC_API_KEY is set');
    expect(stdout).not.toContain('a-secret-key');
    await stage.killHub();
    const findings = byName((await stage.run('doctor', '--json')).stdout);
    expect(findings.get('hub')).toMatchObject({
      state: 'warn',
      advice: expect.stringContaining('signalbox.js up'),
    });
    expect(findings.get('database')).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^1 sessions, \d+ /),
    });
  });

  it('[LOG365] tells of a damaged log, as the hub does that finds it, until the note is removed', async () => {
    const stage = await HubStage.start();
    await stage.run('run', '--agent', 'signalbox-agent', 'say something to keep');
    await stage.killHub();
    const database = join(stage.home, 'data', 'hub.db');
    const log = readFileSync(`${database}-wal`);
    log.writeUInt8(log.readUInt8(2000) ^ 1, 2000);
    writeFileSync(`${database}-wal`, log);
    const { state, says } = byName((await stage.run('doctor', '--json')).stdout).get('database') ?? {};
    expect(state).toBe('warn');
    expect(says).toMatch(/all as they were written; but the last (\d+ )?commits? .*restored.*kept as/);
    rmSync(`${database}-damage.json`);
    expect(byName((await stage.run('doctor', '--json')).stdout).get('database')?.state).toBe('ok');
  });

  it('[CL392] names a session that cannot be read, while the hub runs and when it is down', async () => {
    const stage = await HubStage.start();
    const { session } = await stage.api.createSession({});
    await stage.killHub();
    const database = new Libsql(join(stage.home, 'data', 'hub.db'));
    database.exec('UPDATE session SET facts = \'{"title":\'');
    database.close();
    const unread = { state: 'warn', says: expect.stringContaining(`session ${session.id} cannot be read`) };
    expect(byName((await stage.run('doctor', '--json')).stdout).get('database')).toMatchObject(unread);
    await stage.startHub();
    expect(byName((await stage.run('doctor', '--json')).stdout).get('database')).toMatchObject(unread);
  });

  it('[CL30] names the hub that has the database open, where it cannot be reached, and leaves the data alone', async () => {
    const stage = await HubStage.start();
    rmSync(join(stage.home, 'data', 'token'));
    const { code, stdout } = await stage.run('doctor', '--json');
    expect(code).toBe(1);
    const { says, advice } = byName(stdout).get('database') ?? {};
    expect(says).toContain(`pid ${stage.hubPid}`);
    expect(advice).not.toContain('move');
    expect(await stage.run('up')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`pid ${stage.hubPid}`),
    });
  });

  it('[CL23] fails where something will not work, and says what to do', async () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const data = join(home, 'data');
    mkdirSync(data, { mode: 0o755 });
    writeFileSync(join(data, 'token'), 'open to all\n');
    chmodSync(join(data, 'token'), 0o644);
    writeFileSync(join(data, 'hub.db'), 'this is no database at all'.repeat(100));
    const env = { PATH: '/nowhere', HOME: home, SIGNALBOX_HOME: data };
    const { code, stdout } = await runSignalbox(env, home, 'doctor', '--json');
    expect(code).toBe(1);
    const findings = byName(stdout);
    expect(findings.get('token')).toMatchObject({ state: 'fail', advice: expect.stringContaining('rm ') });
    expect(findings.get('database')).toMatchObject({ state: 'fail' });
    expect(findings.get('data folder')).toMatchObject({ state: 'warn', advice: `chmod 700 ${data}` });
    for (const name of ['claude', 'model access', 'ripgrep', 'sandbox'])
      expect(findings.get(name)).toMatchObject({ state: 'warn' });
  });

  it.runIf(hasProgram('bwrap'))('[CL495] does not send the data away when the disk is full', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
    const script = `: > ${disk}/hub.db; cat /dev/zero > ${disk}/ballast 2>/dev/null; exec "$@"`;
    const small = ['--dev-bind', '/', '/', '--size', '1048576', '--tmpfs', disk, 'sh', '-c', script, 'sh'];
    const env = { PATH: process.env.PATH, HOME: disk, SIGNALBOX_HOME: disk };
    const doctor = [process.execPath, SIGNALBOX, 'doctor', '--json'];
    const failed = promisify(execFile)('bwrap', [...small, ...doctor], { env });
    const { stdout } = await failed.catch((error: { stdout: string }) => error);
    expect(byName(stdout).get('database')).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining(`leave ${disk}/hub.db where it is`),
    });
    expect(byName(stdout).get('disk')).toMatchObject({ state: 'fail' });
  });
});
