// @ts-check
// `npm test`: everything a fresh clone needs, then the tests. Arguments go to vitest; `--changed` and `--changed=<commit>` run the
// tests of what changed since the last commit, or since that one.
import { run, setUp, tool } from './setup.js';

setUp();
const isChanged = (/** @type {string} */ arg) => /^--changed(=|$)/.test(arg);
const args = process.argv.slice(2);
const changed = args.find(isChanged);
if (changed === undefined) run(tool('vitest'), ['run', ...args]);
else await runChanged(changed.split('=')[1] ?? 'HEAD');

async function runChanged(/** @type {string} */ commit) {
  // Not before the dependencies are there.
  const { affectedFiles, changedFiles } = await import('./changed.js');
  const affected = await affectedFiles(changedFiles(commit));
  if (affected.length === 0) console.log(`Nothing differs from ${commit}: there is nothing to test.`);
  else run(tool('vitest'), ['related', '--run', ...affected, ...args.filter((arg) => !isChanged(arg))]);
}
