import { processStats, processVariables, withDescendants } from '@signalbox/transport/stdio';

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
  const stats = processStats();
  const marked = [...stats.keys()].filter((pid) => hasMark(pid, mark));
  const members = withDescendants(root === undefined ? marked : [root, ...marked], stats);
  members.delete(process.pid);
  return members;
}

function hasMark(pid: number, mark: string): boolean {
  const isIts = (variable: string): boolean => variable.startsWith(`${COMMAND_MARK}=${mark}`);
  return processVariables(pid)?.some(isIts) === true;
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // ESRCH: gone already.
  }
}
