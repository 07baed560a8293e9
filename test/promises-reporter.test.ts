import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { promised } from './promises.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const REPORTER = join(root, 'test/promises-reporter.ts');

/** The last two lines of a run of vitest over test files with these texts. */
async function lastLines(...files: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-reporter-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await Promise.all(files.map((text, index) => writeFile(join(folder, `${index}.test.js`), text)));
  // Or one of a folder above would count.
  await writeFile(join(folder, 'vitest.config.js'), 'export default {};');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--globals', '--reporter=default', `--reporter=${REPORTER}`];
  // The run fails when one of its tests does.
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  return output.trimEnd().split('\n').slice(-2);
}

describe('the last lines of npm test', () => {
  const all = promised().length;

  it('[RE200] say how many tests passed and how many promises that proves', async () => {
    const lines = await lastLines(`
      it('[ND1][ND2] is fine', () => {});
      it('[ND3] is fine as well', () => {});
      it('proves nothing', () => {});
    `);
    expect(lines).toEqual([
      'Tests: 3 passed, 0 failed, 0 skipped',
      `Promises: 3 of ${all} proven; not run: ${all - 3}`,
    ]);
  });

  it('[RE200] count no promise that one of its tests failed, and none whose tests were skipped', async () => {
    const lines = await lastLines(
      `it('[ND1] is fine', () => {}); it('[ND1] is not', () => { throw new Error('no'); }); it.skip('[ND2] waits', () => {});`,
      `describe('late', () => { beforeAll(() => { throw new Error('never begins'); }); it('[ND3] is not reached', () => {}); });`,
      `throw new Error('cannot be loaded');`,
    );
    expect(lines).toEqual([
      'Tests: 1 passed, 1 failed, 2 skipped',
      `Promises: 0 of ${all} proven; failed: ND1; not run: ${all - 1}; 2 errors outside of tests`,
    ]);
  });
});
