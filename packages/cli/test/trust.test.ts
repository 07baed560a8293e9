import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';

const SIGNALBOX = fileURLToPath(new URL('../../../dist/signalbox.js', import.meta.url));

describe('signalbox trust', () => {
  it('[CL240] trusts a folder or its repository, says what counts then, lists them, and takes it back', async () => {
    const home = realpathSync(temporaryFolder());
    const repository = join(home, 'project');
    const folder = join(repository, 'inside');
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ hooks: {}, env: { A: '1' } }));
    const run = promisify(execFile);
    const trust = async (...words: string[]): Promise<string> => {
      const env = { PATH: process.env.PATH, HOME: home };
      const { stdout } = await run(process.execPath, [SIGNALBOX, 'trust', ...words], { cwd: folder, env });
      return stdout.trim();
    };
    expect(await trust('--list')).toBe('You trust no folder.');
    const left = 'hooks, env (.claude/settings.json)';
    await expect(trust('--look')).rejects.toMatchObject({
      code: 1,
      stdout: `${repository} is not trusted. Left out: ${left}.\n`,
    });
    expect(await trust()).toBe(`${repository} is trusted. This counts from now on: ${left}.`);
    expect(await trust('--look', folder)).toBe(`${repository} is trusted.`);
    expect(await trust('--list')).toBe(repository);
    expect(JSON.parse(await trust('--list', '--json'))).toEqual([repository]);
    expect(await trust('--remove', folder)).toBe(`${repository} is no longer trusted.`);
    expect(await trust('--remove', folder)).toBe(`${folder} was not trusted.`);
    await expect(trust(join(home, 'nowhere'))).rejects.toMatchObject({ code: 2 });
    await expect(trust('--list', '--remove')).rejects.toMatchObject({ code: 2 });
  });
});
