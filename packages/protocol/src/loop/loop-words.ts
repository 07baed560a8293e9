import type { FolderChanges, LoopIteration, LoopProgress, LoopState } from './loop.ts';

/** What people read for the states of a loop. */
export const LOOP_STATE_WORDS: Record<LoopState, string> = {
  running: 'running',
  pausing: 'pauses after this iteration',
  paused: 'paused',
  stopping: 'stopping',
  ended: 'ended',
};

/** An iteration in one line: how it went, and what it took. */
export function iterationWords(iteration: LoopIteration): string {
  const { how, turns, costUsd, startedAt, endedAt, check, changes } = iteration;
  return [
    how === 'well' ? (check === 'met' ? 'the condition is met' : 'went well') : (how ?? 'under way'),
    ...usage(turns, costUsd),
    durationWords((endedAt ?? startedAt) - startedAt),
    ...(changes ? [changesWords(changes)] : []),
  ].join(' · ');
}

/** A loop in one line: how far it came, and what it took. */
export function loopWords(
  { iteration, turns, costUsd }: LoopProgress,
  {
    maxIterations,
    durationMs,
    changes,
  }: { maxIterations: number; durationMs: number; changes: FolderChanges | null },
): string {
  return [
    `${iteration} of ${counted(maxIterations, 'iteration')}`,
    ...usage(turns, costUsd),
    durationWords(durationMs),
    ...(changes ? [changesWords(changes)] : []),
  ].join(' · ');
}

function changesWords({ commits, files, insertions, deletions }: FolderChanges): string {
  if (files === 0 && commits === 0) return 'no changes';
  const lines = files === 0 ? [] : [`${counted(files, 'file')} +${insertions} -${deletions}`];
  return [...lines, ...(commits === 0 ? [] : [counted(commits, 'commit')])].join(', ');
}

/** How long something took: `4s`, `2m 5s`, `1h 3m`. */
function durationWords(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

function usage(turns: number, costUsd: number): string[] {
  const cost = costUsd > 0 ? [`$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`] : [];
  return [counted(turns, 'turn'), ...cost];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
