// @ts-check
// What a change affects, for `npm test -- --changed`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { build } from 'esbuild';
import { fail, root } from './setup.js';

/** What the tests start of `dist/`, and where its sources begin. All that is built ends up in a hub. */
const BUILT = [
  {
    name: 'dist/signalbox-agent.js',
    entries: ['packages/cli/src/signalbox-agent.ts', 'packages/chat/src/index.ts'],
  },
  { name: 'dist/console', entries: ['packages/console/src/main.tsx'] },
];
const FROM_EVERYTHING = ['dist/signalbox.js', 'build-sdk.js'];

/**
 * The files that differ from a commit, and those that git does not know yet.
 * @param {string} commit
 */
export function changedFiles(commit) {
  return [
    ...git('diff', '--name-only', '--relative', commit, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * The files whose tests have to run. vitest knows which tests import a file, but not which start or read it: so a test, or a
 * helper of tests, that names a changed file counts as changed itself, and so do the tests that look at the whole tree.
 * @param {readonly string[]} changed
 * @returns {Promise<string[]>}
 */
export async function affectedFiles(changed) {
  if (changed.length === 0) return [];
  const names = [...changed.flatMap(namesOf), ...(await builtFrom(changed))];
  const naming = filesBelow('packages', /\/(?:test|testing\/src)\/.*\.ts$/).filter((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return names.some((name) => text.includes(name));
  });
  return [...new Set([...changed, ...naming, ...filesBelow('test', /\.test\.ts$/)])];
}

/** How a test would name a file that it reads or starts; one that holds data may be read with its whole folder. */
function namesOf(/** @type {string} */ path) {
  const isModule = /\.[cm]?[jt]sx?$/.test(path);
  return isModule || !path.includes('/') ? [basename(path)] : [basename(path), basename(dirname(path))];
}

/** What is built from a changed file. */
async function builtFrom(/** @type {readonly string[]} */ changed) {
  if (!changed.some((path) => /^packages\/[^/]+\/src\//.test(path))) return [];
  const affected = await Promise.all(
    BUILT.map(async ({ name, entries }) =>
      (await sourcesOf(entries)).some((path) => changed.includes(path)) ? [name] : [],
    ),
  );
  return [...affected.flat(), ...FROM_EVERYTHING];
}

async function sourcesOf(/** @type {string[]} */ entryPoints) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: ['*.css', 'react-devtools-core', 'libsql', '@lydell/node-pty'],
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

function filesBelow(/** @type {string} */ folder, /** @type {RegExp} */ pattern) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
    .filter((path) => pattern.test(path) && !path.includes('node_modules'));
}

/** The lines that git prints. */
function git(/** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) fail(`--changed asks git, which says: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}
