import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A first install fetches up to 350 MB, beside whatever else the machine does. */
export const INSTALL_TIMEOUT_MS = 600_000;

const installs = new Map<string, Promise<string>>();

/** The folder that a package of the registry was installed into: outside of the tree, on first use, in this very version. */
export function cachedPackage(
  name: string,
  version: string,
  options: readonly string[] = [],
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const key = `${name}@${version}`;
  const known = installs.get(key) ?? install(name, version, options, overrides);
  installs.set(key, known);
  return known;
}

/** Under `npm run`, npm tells its children to install into the workspace. */
export function outsideTheWorkspace(): NodeJS.ProcessEnv {
  const inherited = /^npm_(?:config_workspace|config_local_prefix|package|lifecycle)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}

async function install(
  name: string,
  version: string,
  options: readonly string[],
  overrides: Readonly<Record<string, string>>,
): Promise<string> {
  const cache = await cacheFolder();
  const folder = join(cache, `${name.slice(name.indexOf('/') + 1)}-${version}`);
  if (existsSync(folder)) return folder;
  const building = await mkdtemp(join(cache, 'installing-'));
  try {
    await writeFile(join(building, 'package.json'), `${JSON.stringify({ private: true, overrides })}\n`);
    await npmInstall(building, `${name}@${version}`, options);
    // The official CLI puts its native binary in place with a script, which npm may refuse to run by itself.
    const script = join(building, 'node_modules', name, 'install.cjs');
    if (existsSync(script)) await run(process.execPath, [script], { cwd: building });
    await rename(building, folder);
  } catch (error) {
    // Another process was faster: its folder is as good as ours.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

async function npmInstall(folder: string, wanted: string, options: readonly string[]): Promise<void> {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...options];
  try {
    await run('npm', [...args, wanted], {
      cwd: folder,
      env: outsideTheWorkspace(),
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${wanted} could not be installed: tests run it as it is published and need the npm registry once, ` +
        `after that it is cached.\n${reason}`,
      { cause: error },
    );
  }
}

/** A folder that only this user can write to: what lies in it gets executed. */
async function cacheFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = process.env['SIGNALBOX_CACHE'] ?? join(tmpdir(), `signalbox-cache-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const info = await lstat(folder);
  const ours = process.getuid === undefined || (info.uid === uid && (info.mode & 0o022) === 0);
  if (!info.isDirectory() || !ours)
    throw new Error(`${folder} is not a folder that only this user can write to`);
  return folder;
}
