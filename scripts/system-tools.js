// @ts-check
// Programs that tests drive beside our own: installed when they are missing and root allows.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Each program with the Debian package that brings it. */
const PACKAGES = {
  rg: 'ripgrep',
  bwrap: 'bubblewrap',
  tmux: 'tmux',
  'chromium-headless-shell': 'chromium-headless-shell',
  chromium: 'chromium',
  vim: 'vim',
  less: 'less',
  pg_ctlcluster: 'postgresql-15',
};

/** The server of PostgreSQL lies beside the PATH, and comes with this program, which is on it. */
export const POSTGRES = 'pg_ctlcluster';

/** Whether a program is on the PATH. */
export function hasProgram(/** @type {string} */ name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Install what is missing. What cannot be installed is said loudly, and in CI ends the run: there nothing is skipped. */
export function ensureSystemTools() {
  const missing = Object.entries(PACKAGES).filter(([program]) => !hasProgram(program));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name);
  if (process.getuid?.() === 0 && hasProgram('apt-get')) {
    console.error(`signalbox: installing ${names.join(', ')} for the tests …`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = () =>
      spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env, stdio: 'ignore' });
    if (install().status !== 0) {
      spawnSync('apt-get', ['update'], { env, stdio: 'ignore' });
      install();
    }
  }
  const absent = missing.filter(([program]) => !hasProgram(program)).map(([, name]) => name);
  if (absent.length === 0) return;
  const line = `signalbox: ${absent.join(', ')} cannot be installed here; TESTS THAT NEED IT ARE SKIPPED.`;
  if (process.env.CI) throw new Error(`${line} CI must not skip: install it by hand.`);
  console.error(`\n${'!'.repeat(line.length)}\n${line}\n${'!'.repeat(line.length)}\n`);
}
