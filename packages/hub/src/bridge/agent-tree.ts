import { setTimeout as pause } from 'node:timers/promises';
import { withDescendants } from '@signalbox/transport/stdio';
import { livingProcesses, wasGiven } from './running-process.ts';

/** The variable that everything an agent starts inherits, and by which it is found when its parents are gone. */
export const TREE_MARK = 'SIGNALBOX_BRIDGE';

/** A tree that keeps growing while it is killed is given up after this many rounds. */
const MAX_ROUNDS = 100;
const ROUND_PAUSE_MS = 20;

/** Every living process of an agent's tree: those that carry its mark, and all below them. */
export function membersOf(mark: string): number[] {
  const living = livingProcesses();
  const marked = [...living.keys()].filter((pid) => wasGiven(pid, `${TREE_MARK}=${mark}`));
  const members = withDescendants(marked, living);
  members.delete(process.pid);
  return [...members];
}

/**
 * Kill an agent's whole tree, and what `seen` says; says how many were alive. Where there is no /proc, the group of `root`
 * has to do.
 */
export async function endTree(
  mark: string,
  root?: number,
  seen: () => readonly number[] = () => [],
): Promise<number> {
  const findAll = (): number[] => [...withDescendants([...membersOf(mark), ...seen()], livingProcesses())];
  const found = findAll();
  if (root !== undefined && process.platform !== 'linux') kill(-root);
  for (let members = found, round = 0; members.length > 0 && round < MAX_ROUNDS; round += 1) {
    members.forEach(kill);
    await pause(ROUND_PAUSE_MS);
    // What was started while we looked.
    members = findAll();
  }
  return found.length;
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // ESRCH: gone already.
  }
}
