import { readdirSync, readFileSync } from 'node:fs';

/** What the system tells of a process. */
export interface ProcessStat {
  /** `Z` and `X` have ended and only wait to be buried. */
  state: string;
  parent: number;
  /** In the system's own count: it tells a process from a later one with the same id. */
  startTime: string;
}

/** The ids of all processes; none where there is no /proc. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Undefined when it is gone, or where there is no /proc. */
export function processStat(pid: number): ProcessStat | undefined {
  // `pid (name) state parent …`, and a name may hold spaces and parentheses.
  const stat = read(`/proc/${pid}/stat`);
  const [, state = '', parent, ...rest] = stat?.slice(stat.lastIndexOf(')')).split(' ') ?? [];
  return parent === undefined ? undefined : { state, parent: Number(parent), startTime: rest[17] ?? '' };
}

/** The variables that a process was started with: `NAME=value`, one after the other; none of somebody else's process. */
export function processVariables(pid: number): string[] {
  return read(`/proc/${pid}/environ`)?.split('\0') ?? [];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended while we looked, or belongs to someone else.
    return undefined;
  }
}
