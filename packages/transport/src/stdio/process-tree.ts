import { type ProcessStat, processIds, processStat } from './running-processes.ts';

/** Every process below `root`. None where there is no /proc: a process group has to do there. */
export function descendantsOf(root: number): number[] {
  const tree = withDescendants([root], processStats());
  tree.delete(root);
  return [...tree];
}

/** Every process with what the system tells of it; none where there is no /proc. */
export function processStats(): Map<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  for (const pid of processIds()) {
    const stat = processStat(pid);
    if (stat) stats.set(pid, stat);
  }
  return stats;
}

/** These processes and all below them. What is listed here gets killed: never what has the whole machine below it. */
export function withDescendants(
  pids: Iterable<number>,
  stats: ReadonlyMap<number, ProcessStat>,
): Set<number> {
  const childrenOf = new Map<number, number[]>();
  for (const [pid, { parent }] of stats) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  const tree = new Set([...pids].filter((pid) => pid > 1));
  // A set may grow while it is walked: what is added is visited too.
  for (const member of tree) for (const child of childrenOf.get(member) ?? []) tree.add(child);
  return tree;
}
