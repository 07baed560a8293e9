import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { timeLimit } from '@signalbox/protocol';
import { AGENT_VARIABLES } from './agent-environment.ts';
import { BridgeNotStartedError } from './bridge-errors.ts';
import { type BridgeMeta, folderOf, inFolder, logOf, readMeta } from './bridge-folder.ts';
import { agentUrl } from './hub-address.ts';
import { identityOf, type ProcessIdentity } from './running-process.ts';
import { spawnDetached } from './spawn-detached.ts';
import { startedOutcome } from './started-outcome.ts';

/** What a bridge of its own should run. */
export interface LaunchOptions {
  id: string;
  session: string;
  hub: string;
  /** It is the hub of `home`, which is reached by its socket, wherever it comes back. */
  isLocal?: boolean;
  /** Goes to the bridge by its environment: a command line can be read by anybody on the machine. */
  token?: string | undefined;
  tokenFile?: string | undefined;
  command: readonly string[];
  cwd: string;
  /** Variables for the agent beside those of this process. */
  env?: Readonly<Record<string, string>>;
  home: string;
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
  /** How long it may take to begin. */
  patienceMs?: number;
}

/** A bridge that runs by itself. */
export interface LaunchedBridge {
  meta: BridgeMeta;
  process: ProcessIdentity;
  log: string;
}

/** How long a bridge may take to start its agent, and to end what an earlier one left. */
export const BEGIN_PATIENCE_MS = 60_000;

/**
 * Start a bridge that outlives this process and its terminal. Settles when its agent was started or could not be
 * (`meta.failure` says why; the hub is told too); rejects with `BRIDGE_NOT_STARTED` when the bridge itself failed.
 */
export async function launchBridge(options: LaunchOptions): Promise<LaunchedBridge> {
  const { id, session, hub, home, patienceMs = BEGIN_PATIENCE_MS } = options;
  agentUrl(hub, session);
  const folder = folderOf(home, id);
  const log = logOf(folder);
  const stderr = inFolder(folder, () => openSync(log, 'a+', 0o600));
  const { size } = fstatSync(stderr);
  try {
    const child = start(options, stderr);
    const process = identityOf(child.pid ?? 0);
    const meta = await startedOutcome(child, () => outcomeIn(folder, child.pid), timeLimit(patienceMs));
    if (meta) return { meta, process, log };
    child.kill('SIGKILL');
    // By what is open: the bridge may have removed its folder.
    const said = Buffer.alloc(Math.max(0, fstatSync(stderr).size - size));
    readSync(stderr, said, 0, said.length, size);
    throw new BridgeNotStartedError(id, said.toString());
  } finally {
    closeSync(stderr);
  }
}

function start(
  {
    id,
    session,
    hub,
    isLocal = false,
    token,
    tokenFile,
    command,
    cwd,
    env = {},
    home,
    program,
  }: LaunchOptions,
  stderr: number,
): ChildProcess {
  const flags = ['--quiet', '--hub', hub, '--session', session, '--id', id, '--cwd', cwd];
  if (isLocal) flags.push('--local');
  return spawnDetached({
    program,
    words: ['bridge', ...flags, '--', ...command],
    home,
    token,
    env: { SIGNALBOX_TOKEN_FILE: tokenFile, [AGENT_VARIABLES]: JSON.stringify(env) },
    stderr,
  });
}

/** What the bridge wrote once it knew how the start went. */
function outcomeIn(folder: string, pid: number | undefined): BridgeMeta | undefined {
  const meta = readMeta(folder);
  const isOver = meta?.pid === pid && (meta?.agentPid !== undefined || meta?.failure !== undefined);
  return isOver ? meta : undefined;
}
