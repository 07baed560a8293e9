import { setTimeout as pause } from 'node:timers/promises';
import { withDescendants } from '@signalbox/transport/stdio';
import { livingProcesses, wasGiven } from './running-process.ts';

/** The variable that everything an agent starts inherits, and by which it is found when its parents are gone. */
export const TREE_MARK = 'SIGNALBOX_BRIDGE';

/** A tree that keeps growing while it is killed is given up after this many rounds. */
const MAX_ROUNDS = 100;
const ROUND_PAUSE_MS = 20;

/** What one look finds nothing of may have been started from what ended between its two halves. */
const QUIET_LOOKS = 2;

interface Member {
  pid: number;
  group: number;
}

/** Every living process of an agent's tree: those that carry its mark, and all below them. */
export function membersOf(mark: string): number[] {
  return look(mark).members.map(({ pid }) => pid);
}

/** The same with what was `seen`; unsure where somebody is just being started, and cannot be told yet. */
function look(mark: string, seen: readonly number[] = []): { members: Member[]; isUnsure: boolean } {
  const living = livingProcesses();
  const given = [...living.keys()].map((pid) => ({ pid, isMarked: wasGiven(pid, `${TREE_MARK}=${mark}`) }));
  const marked = given.flatMap(({ pid, isMarked }) => (isMarked ? pid : []));
  const members = withDescendants([...marked, ...seen], living);
  members.delete(process.pid);
  const found = [...members].flatMap((pid) => {
    const stat = living.get(pid);
    return stat ? { pid, group: stat.group } : [];
  });
  return { members: found, isUnsure: given.some(({ isMarked }) => isMarked === undefined) };
}

/**
 * Kill an agent's whole tree, and what `seen` says; says how many were alive outside of the group of `root`. Where there is no /proc,
 * that group has to do.
 */
export async function endTree(
  mark: string,
  root?: number,
  seen: () => readonly number[] = () => [],
): Promise<number> {
  if (root !== undefined && process.platform !== 'linux') kill(-root);
  const ended = new Set<number>();
  for (let quiet = 0, round = 0; quiet < QUIET_LOOKS && round < MAX_ROUNDS; round += 1) {
    const { members, isUnsure } = look(mark, seen());
    for (const { pid, group } of members) {
      kill(pid);
      // The agent's own group was killed with it, and may take a moment to be gone.
      if (group !== root) ended.add(pid);
    }
    quiet = members.length > 0 || isUnsure ? 0 : quiet + 1;
    if (quiet === 0) await pause(ROUND_PAUSE_MS);
  }
  return ended.size;
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // ESRCH: gone already.
  }
}
