import { setTimeout as pause } from 'node:timers/promises';
import { identityOf, isRunning } from '@signalbox/hub/bridge';
import { SignalboxError, timeLimit } from '@signalbox/protocol';

/** How long the hub, or a bridge with its agent, may take to end. */
const END_MS = 40_000;
const LOOK_MS = 50;

/** A process was asked to end, and goes on. */
export class NotEndedError extends SignalboxError {
  constructor(what: string, pid: number) {
    super(
      'NOT_ENDED',
      `${what} (pid ${pid}) was asked to end and goes on. kill -9 ${pid} ends it the hard way.`,
    );
  }
}

/** Ask the hub to end, and wait until it has. Raises `NOT_ENDED`. */
export async function endHub(pid: number): Promise<void> {
  const hub = identityOf(pid);
  signalTo(pid);
  // A parent that is busy, or the first process of a container, may never bury it.
  if (!(await comesTrue(() => Promise.resolve(!isRunning(hub))))) throw new NotEndedError('The hub', pid);
}

/** Ask a process to end; it may have ended just now. */
export function signalTo(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

export async function comesTrue(condition: () => Promise<boolean>): Promise<boolean> {
  const patience = timeLimit(END_MS);
  while (!patience.aborted) {
    if (await condition()) return true;
    await pause(LOOK_MS);
  }
  return false;
}
