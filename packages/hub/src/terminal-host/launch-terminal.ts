import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timeLimit } from '@signalbox/protocol';
import { spawnDetached } from '../bridge/spawn-detached.ts';
import { startedOutcome } from '../bridge/started-outcome.ts';
import { TERMINAL_VARIABLE, type TerminalHostOrder } from './run-terminal-host.ts';
import { TerminalNotStartedError, TerminalUnavailableError } from './terminal-errors.ts';
import { readTerminalMeta, type TerminalMeta } from './terminal-folder.ts';

/** How long a terminal may take to begin. */
const BEGIN_PATIENCE_MS = 30_000;

/** How a terminal's process is started. */
export interface TerminalLaunch extends TerminalHostOrder {
  token: string;
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
}

/**
 * Start a terminal's process, which outlives this one. Settles when its shell runs; raises `TERMINAL_NOT_STARTED` or
 * `TERMINAL_UNAVAILABLE`, and has left nothing then.
 */
export async function launchTerminal({ token, program, ...order }: TerminalLaunch): Promise<TerminalMeta> {
  const { data, home } = order;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const log = join(data, 'terminal.log');
  const stderr = openSync(log, 'a', 0o600);
  try {
    const child = spawnDetached({
      program,
      words: ['terminal', '--serve', `${order.session}/${order.number}`],
      home,
      token,
      env: { [TERMINAL_VARIABLE]: JSON.stringify(order) },
      stderr,
    });
    const meta = await startedOutcome(child, () => outcomeIn(data, child.pid), timeLimit(BEGIN_PATIENCE_MS));
    if (meta?.shellPid !== undefined) return meta;
    child.kill('SIGKILL');
    const reason = meta?.failure?.message ?? readFileSync(log, 'utf8').slice(-2000);
    rmSync(data, { recursive: true, force: true });
    throw meta?.failure?.code === 'TERMINAL_UNAVAILABLE'
      ? new TerminalUnavailableError(reason)
      : new TerminalNotStartedError(reason);
  } finally {
    closeSync(stderr);
  }
}

function outcomeIn(folder: string, pid: number | undefined): TerminalMeta | undefined {
  const meta = readTerminalMeta(folder);
  const isOver = meta?.pid === pid && (meta?.shellPid !== undefined || meta?.failure !== undefined);
  return isOver ? meta : undefined;
}
