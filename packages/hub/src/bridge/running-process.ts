import { type ProcessStat, processStat, processStats, processVariables } from '@signalbox/transport/stdio';

/** A process that is told from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When the system started it, in the system's own count; null where there is no /proc. */
  startTime: string | null;
}

/** Who has this process id now. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startTime: processStat(pid)?.startTime ?? null };
}

/** Whether this very process still runs; one that only waits to be buried does not. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const stat = processStat(pid);
  if (stat) return stat.startTime === startTime && isLiving(stat);
  return startTime === null && isThere(pid);
}

/** Every living process with what the system tells of it; none where there is no /proc. */
export function livingProcesses(): Map<number, ProcessStat> {
  return new Map([...processStats()].filter(([, stat]) => isLiving(stat)));
}

/** Whether a process was started with this variable, by itself or by what it descends from; undefined while it is being started. */
export function wasGiven(pid: number, assignment: string): boolean | undefined {
  return processVariables(pid)?.includes(assignment);
}

function isLiving({ state }: ProcessStat): boolean {
  return state !== 'Z' && state !== 'X';
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
