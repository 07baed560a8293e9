import { setTimeout as pause } from 'node:timers/promises';
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
  signalTo(pid);
  if (!(await comesTrue(() => Promise.resolve(!signalTo(pid, 0))))) throw new NotEndedError('The hub', pid);
}

/** False when there is no such process. */
export function signalTo(pid: number, signal: 'SIGTERM' | 0 = 'SIGTERM'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
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
