import { lockFolder } from '../bridge/folder-lock.ts';
import { TerminalRunningError } from './terminal-errors.ts';
import type { TerminalHostOptions } from './terminal-host.ts';

/** How a launcher tells a terminal's process what to do: a command line can be read by anybody on the machine. */
export const TERMINAL_VARIABLE = 'SIGNALBOX_TERMINAL';

/** What a terminal's process is told by its environment. */
export type TerminalHostOrder = Omit<TerminalHostOptions, 'program' | 'token'>;

/** Be the process of a terminal until its shell has ended. Raises `TERMINAL_RUNNING` or `TERMINAL_UNAVAILABLE`. */
export async function runTerminalHost(env: NodeJS.ProcessEnv, program: readonly string[]): Promise<void> {
  const { [TERMINAL_VARIABLE]: text = '', SIGNALBOX_TOKEN: token = '' } = env;
  // Written by this program.
  const order: TerminalHostOrder = JSON.parse(text);
  const owner = lockFolder(order.data);
  if (owner) throw new TerminalRunningError(owner.pid);
  // Not before: the hub loads this file for what it tells a terminal's process, and has no use for a screen.
  const { TerminalHost } = await import('./terminal-host.ts');
  const host = new TerminalHost({ ...order, token, program });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => host.end());
  // A terminal from which the hub was started may go away.
  process.on('SIGHUP', () => {});
  await host.run();
}
