import type { LeftWorktree, Worktree, WorktreeSetup } from 'signalbox/hub';
import { atHome, inOneLine } from '../cell-text.ts';
import { harmless } from '../harmless-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';
import { ageWords } from '../time-words.ts';

const SHAPE = {
  columns: ['WORKTREE', 'BRANCH', 'SESSION', 'MADE', 'STAYS BECAUSE'],
  leftOut: ['BRANCH', 'MADE', 'SESSION'],
  cut: { column: 'STAYS BECAUSE', least: 20, most: 100 },
} as const;

/** Worktrees as a table no wider than `room`. */
export function worktreeTable(worktrees: readonly Worktree[], now: number, room: number): string {
  const rows = worktrees.map(({ repository, slug, branch, session, createdAt, keeps }) => ({
    WORKTREE: inOneLine(`${repository}/${slug}`),
    BRANCH: inOneLine(branch),
    SESSION: session === null ? '' : shortId(session),
    MADE: createdAt === null ? '' : ageWords(now - createdAt),
    'STAYS BECAUSE': inOneLine(keeps.join(' ') || 'nothing: a sweep removes it'),
  }));
  return fittedTable(SHAPE, rows, room);
}

/** What became of a worktree, in a line. */
export function leftWords({ folder, branch, isRemoved, isBranchRemoved, keeps }: LeftWorktree): string {
  const place = harmless(atHome(folder));
  const why = keeps.map(harmless).join(' ');
  if (!isRemoved) return `${place} stays: ${why}`;
  if (branch === null) return `removed ${place}`;
  return isBranchRemoved
    ? `removed ${place} and its branch ${harmless(branch)}`
    : `removed ${place}; its branch ${harmless(branch)} stays. ${why}`.trimEnd();
}

/** What a set-up does, to be looked at before it is trusted. */
export function setupWords({ command, copy }: WorktreeSetup): string {
  const lines = [
    ...(command === null ? [] : ['It runs in every new worktree:', ...indented(command.split('\n'))]),
    ...(copy.length === 0 ? [] : ['It copies ignored files that fit:', ...indented(copy)]),
  ];
  return `${lines.join('\n')}\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${harmless(line)}`);
}
