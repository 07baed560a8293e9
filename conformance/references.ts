import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  INSTALL_TIMEOUT_MS,
  REFERENCE_VERSIONS,
  referenceCli,
} from '../packages/model/test/reference-cli.ts';
import type { Program } from './program.ts';
import type { Sdk, SdkModule } from './sdk.ts';

const CLI = '@anthropic-ai/claude-code';
const SDK = '@anthropic-ai/claude-agent-sdk';

/** The versions of the official SDK that must drive our agent, each with the CLI it was published for. */
const SDK_VERSIONS = { '2.1.37': '0.2.37', '2.1.325': '0.3.325' } as const;

const run = promisify(execFile);

/** The official CLIs, installed on first use. They are run as they are: nobody here looks inside them. */
export async function referencePrograms(withNewest: boolean): Promise<Program[]> {
  const programs: Program[] = [];
  for (const version of REFERENCE_VERSIONS)
    programs.push({
      id: version,
      label: `claude ${version}`,
      command: await referenceCli(version),
      args: [],
    });
  if (!withNewest) return programs;
  const version = await newestOf(CLI);
  if (REFERENCE_VERSIONS.some((pinned) => pinned === version)) return programs;
  const folder = await install(CLI, version);
  const command = join(folder, 'node_modules', '.bin', 'claude');
  return [...programs, { id: 'newest', label: `claude ${version}`, command, args: [] }];
}

/** The official SDKs, installed on first use. */
export async function referenceSdks(withNewest: boolean): Promise<Sdk[]> {
  const sdks: Sdk[] = [];
  for (const cli of REFERENCE_VERSIONS) sdks.push(await loadSdk(SDK_VERSIONS[cli], cli));
  if (!withNewest) return sdks;
  const newest = await newestOf(SDK);
  return sdks.some(({ version }) => version === newest) ? sdks : [...sdks, await loadSdk(newest, 'newest')];
}

async function loadSdk(version: string, cli: Sdk['cli']): Promise<Sdk> {
  const module: SdkModule = await import(pathToFileURL(await referenceSdkEntry(version)).href);
  return {
    version,
    cli,
    query: (call) => module.query(call),
    tool: (...definition) => module.tool(...definition),
    createSdkMcpServer: (options) => module.createSdkMcpServer(options),
  };
}

/** The file that a program imports of the official SDK, installed on first use. */
export async function referenceSdkEntry(version: string): Promise<string> {
  // Its own copy of the CLI, an optional dependency of some 200 MB, is never run here.
  const folder = await install(SDK, version, ['--omit=optional']);
  return join(folder, 'node_modules', SDK, 'sdk.mjs');
}

async function newestOf(name: string): Promise<string> {
  const { stdout } = await run('npm', ['view', name, 'version'], { timeout: INSTALL_TIMEOUT_MS });
  return stdout.trim();
}

/** The folder of a package in the cache beside the pinned CLIs. */
async function install(name: string, version: string, options: readonly string[] = []): Promise<string> {
  const pinned = await referenceCli(REFERENCE_VERSIONS[0]);
  const cache = dirname(dirname(dirname(dirname(pinned))));
  const folder = join(cache, `${name.slice(name.indexOf('/') + 1)}-${version}`);
  if (existsSync(folder)) return folder;
  const building = await mkdtemp(join(cache, 'installing-'));
  try {
    await writeFile(join(building, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', building, '--ignore-scripts', '--no-audit', '--no-fund', ...options];
    await run('npm', [...args, `${name}@${version}`], {
      cwd: building,
      env: outsideTheWorkspace(),
      timeout: INSTALL_TIMEOUT_MS,
    });
    // The CLI puts its native binary in place with a script of its own.
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

/** Under `npm run`, npm tells its children to install into the workspace. */
function outsideTheWorkspace(): NodeJS.ProcessEnv {
  const inherited = /^npm_(?:config_workspace|config_local_prefix|package|lifecycle)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}
