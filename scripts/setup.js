// @ts-check
// What every command needs before it can run, with nothing but Node and npm: safe to call again, and quick then.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MINIMUM_NODE = [20, 19];

/** Stop with a message instead of a stack: these scripts are the first thing a newcomer meets. */
export function fail(/** @type {string} */ message) {
  console.error(`signalbox: ${message}`);
  process.exit(1);
}

/** Run a command in the project, its output shown; stops with its exit code when it fails. */
export function run(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env = {},
) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) fail(`cannot run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** The path of a tool that the project's dependencies bring. */
export function tool(/** @type {string} */ name) {
  return join(root, 'node_modules', '.bin', name);
}

/** Install the dependencies when they are missing or older than the lock file. */
export function setUp() {
  checkNode();
  const stampFile = join(root, 'node_modules', '.signalbox-setup');
  const stamp = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  console.error('signalbox: installing dependencies (first run, or they changed) …');
  // Not `npm ci`: a lock file made on one platform may lack the optional packages of another.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stampFile, stamp);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = MINIMUM_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  fail(`Node ${MINIMUM_NODE.join('.')} or later is needed; this is ${process.versions.node}.`);
}
