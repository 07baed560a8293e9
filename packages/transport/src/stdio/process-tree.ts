import { readdirSync, readFileSync } from 'node:fs';

/** Every process below `root`. None where there is no /proc: a process group has to do there. */
export function descendantsOf(root: number): number[] {
  // Below these is the whole machine; what is listed here gets killed.
  if (root <= 1) return [];
  const childrenOf = new Map<number, number[]>();
  for (const pid of runningPids()) {
    const parent = parentOf(pid);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (let level = childrenOf.get(root) ?? []; level.length > 0; ) {
    found.push(...level);
    level = level.flatMap((pid) => childrenOf.get(pid) ?? []);
  }
  return found;
}

function runningPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // `pid (name) state parent …`, and a name may hold spaces and parentheses.
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
