import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the system tells of a process. */
export interface ProcessStat {
  /** `Z` and `X` have ended and only wait to be buried. */
  state: string;
  parent: number;
  /** The process group. */
  group: number;
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
  const [group, ...more] = rest;
  if (parent === undefined) return undefined;
  return { state, parent: Number(parent), group: Number(group), startTime: more[16] ?? '' };
}

/**
 * The variables that a process was started with: `NAME=value`, one after the other; none of somebody else's process. Undefined in
 * the middle of an exec, when it has some and they cannot be read.
 */
export function processVariables(pid: number): string[] | undefined {
  const variables = (): string | undefined => read(`/proc/${pid}/environ`);
  const text = variables();
  if (text !== '') return text?.split('\0') ?? [];
  // What the kernel runs for itself has neither words nor variables for good, and no program.
  if (read(`/proc/${pid}/cmdline`) === '' && hasProgram(pid)) return undefined;
  // None, or it is through by now.
  return variables()?.split('\0') ?? [];
}

function hasProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== '';
  } catch {
    return false;
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
