import type { DamagedLog } from './damaged-log.ts';

/** What became of a damaged log, in a sentence. */
export function describeDamage({ at, outcome, commits, kept }: DamagedLog): string {
  const range = commits === 1 ? 'the last commit' : `the last ${commits} commits`;
  const where = kept === undefined ? '' : `; the damaged log is kept as ${kept}`;
  switch (outcome) {
    case 'restored':
      return `${range} had a damaged bit in the log and were restored as they were written (${at})${where}`;
    case 'patched':
      return `${range} were damaged in the log; what can be read was kept, and damaged entries say so (${at})${where}`;
    case 'cut':
      return `${range} were damaged in the log beyond repair and are lost (${at})${where}`;
    case 'gone':
      return `the log with the last commits is missing; if an old copy was put back, that is as it should be (${at})`;
  }
}
