import { readdirSync, readFileSync } from 'node:fs';

/** A process that is told from a later one with the same id. */
export interface ProcessIdentity {
  pid: number;
  /** When the system started it, in the system's own count; null where there is no /proc. */
  startTime: string | null;
}

/** What the system tells of a process. */
interface ProcessStat {
  state: string;
  parent: number;
  startTime: string;
}

/** Who this process is. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: statOf(process.pid)?.startTime ?? null };
}

/** Whether this very process still runs; one that only waits to be buried does not. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  const stat = statOf(pid);
  if (stat) return stat.startTime === startTime && isLiving(stat);
  return startTime === null && isThere(pid);
}

/** Every living process with its parent; none where there is no /proc. */
export function livingProcesses(): Map<number, number> {
  const parents = new Map<number, number>();
  for (const pid of runningPids()) {
    const stat = statOf(pid);
    if (stat && isLiving(stat)) parents.set(pid, stat.parent);
  }
  return parents;
}

/** Whether a process was started with this variable, by itself or by what it descends from. */
export function wasGiven(pid: number, assignment: string): boolean {
  return `\0${read(`/proc/${pid}/environ`) ?? ''}\0`.includes(`\0${assignment}\0`);
}

function statOf(pid: number): ProcessStat | undefined {
  // `pid (name) state parent …`, and a name may hold spaces and parentheses.
  const stat = read(`/proc/${pid}/stat`);
  const [, state = '', parent, ...rest] = stat?.slice(stat.lastIndexOf(')')).split(' ') ?? [];
  return parent === undefined ? undefined : { state, parent: Number(parent), startTime: rest[17] ?? '' };
}

function isLiving({ state }: ProcessStat): boolean {
  return state !== 'Z' && state !== 'X';
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function runningPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended while we looked, or belongs to someone else.
    return undefined;
  }
}
