import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SIGNALBOX } from '@signalbox/testing/hub/hub-process';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { HAS_POSTGRES, sharedCluster } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** The environments of all processes that work in a home. */
function environmentsIn(home: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.includes(`SIGNALBOX_HOME=${home}\0`) ? [environment] : [];
    } catch {
      return [];
    }
  });
}

describe.runIf(HAS_POSTGRES)('signalbox up --database', () => {
  it('[CL2210] keeps all in PostgreSQL, with an address from config.json, the environment or a flag; nobody is shown or handed the password', async () => {
    const cluster = await sharedCluster();
    const url = await cluster.createDatabase();
    const password = new URL(url).password;
    const home = temporaryFolder();
    const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home };
    const signalbox = (...words: string[]) =>
      run(process.execPath, [SIGNALBOX, ...words], { env, cwd: home });
    const upWith = async (words: readonly string[]) => {
      const up = runUp([...words], home);
      await expect.poll(up.output).toContain('signalbox is up');
      return up;
    };
    const first = await upWith(['/usr/bin/env', `SIGNALBOX_DATABASE=${url}`, ...UP]);
    const { stdout } = await signalbox('run', '--agent', 'scripted', '--yes', 'say quokka');
    expect(stdout).toContain('scripted');
    const knowing = environmentsIn(home).filter((environment) => environment.includes(password));
    // The hub was started with it; the agent and its bridge were not.
    expect(knowing).toHaveLength(1);
    expect(environmentsIn(home).length).toBeGreaterThan(1);
    await signalbox('down', '--agents');
    await first.exited;
    writeFileSync(join(home, 'config.json'), JSON.stringify({ database: url }));
    const { stdout: settings } = await signalbox('config');
    expect(settings).toContain('postgres://signalbox@127.0.0.1');
    const second = await upWith(UP);
    expect((await signalbox('search', 'quokka')).stdout).toContain('quokka');
    await signalbox('down', '--agents');
    await second.exited;
    const doctor = await signalbox('doctor').catch((failed: { stdout: string }) => failed);
    expect(doctor.stdout).toMatch(/database +postgres:.* all as they were written/);
    expect(existsSync(join(home, 'hub.db'))).toBe(false);
    const wrong = runUp([...UP, '--database', url.replace(password, 'wr0ng')], home);
    expect(await wrong.exited).toEqual([1, null]);
    expect(wrong.errors()).toContain('does not let the hub in');
    for (const said of [first, second, wrong]
      .flatMap((up) => [up.output(), up.errors()])
      .concat(settings, doctor.stdout))
      for (const secret of [password, decodeURIComponent(password), 'wr0ng'])
        expect(said).not.toContain(secret);
  });
});
