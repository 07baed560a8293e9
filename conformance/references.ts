import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cachedPackage, INSTALL_TIMEOUT_MS } from '@signalbox/testing/cached-package';
import { REFERENCE_VERSIONS, referenceCli } from '@signalbox/testing/reference-cli';
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
  const folder = await cachedPackage(CLI, version);
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
  const folder = await cachedPackage(SDK, version, ['--omit=optional']);
  return join(folder, 'node_modules', SDK, 'sdk.mjs');
}

async function newestOf(name: string): Promise<string> {
  const { stdout } = await run('npm', ['view', name, 'version'], { timeout: INSTALL_TIMEOUT_MS });
  return stdout.trim();
}
