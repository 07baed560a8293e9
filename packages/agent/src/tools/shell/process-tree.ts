import { readdirSync, readFileSync } from 'node:fs';

/** The variable that everything a command starts inherits, and by which it is found again. */
export const COMMAND_MARK = 'SIGNALBOX_COMMAND';

/** What to end: a process with its group, and whatever carries a mark (or one that begins with it). */
export interface ProcessTree {
  readonly pid?: number | undefined;
  readonly mark: string;
}

/**
 * Kill a whole tree: the process group, all descendants, and by their mark also those that left the group and lost
 * their parents. Where there is no /proc, the group has to do.
 */
export function killTree({ pid, mark }: ProcessTree): void {
  // Looked up first: once a parent is gone, its children cannot be told from strangers.
  const found = membersOf(mark, pid);
  if (pid !== undefined) kill(-pid);
  for (const member of found) kill(member);
  // What was started while we looked.
  for (const member of membersOf(mark)) kill(member);
}

function membersOf(mark: string, root?: number): Set<number> {
  const childrenOf = new Map<number, number[]>();
  const members = new Set<number>(root === undefined ? [] : [root]);
  for (const pid of runningPids()) {
    const parent = parentOf(pid);
    if (parent === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
    if (hasMark(pid, mark)) members.add(pid);
  }
  // A set may grow while it is walked: what is added is visited too.
  for (const member of members) {
    for (const child of childrenOf.get(member) ?? []) members.add(child);
  }
  members.delete(process.pid);
  return members;
}

function runningPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  // `pid (name) state parent …`, and a name may hold spaces and parentheses.
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

function hasMark(pid: number, mark: string): boolean {
  return `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${COMMAND_MARK}=${mark}`);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended while we looked, or belongs to someone else.
    return undefined;
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // ESRCH: gone already.
  }
}
