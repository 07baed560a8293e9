import { diffLines, structuredPatch } from 'diff';

/** Texts that differ in more lines than this count as replaced: the time of a diff grows with the square of it. */
const MAX_DIFFERENCES = 1000;

/** How many unchanged lines are shown around a change. */
const CONTEXT_LINES = 3;

const NO_NEWLINE = '\\ No newline at end of file';

/** One changed place of a file, as `tool_use_result` carries it. */
export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** What changed between two texts, in the form of a unified diff. */
export function patchHunks(before: string, after: string): PatchHunk[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_DIFFERENCES };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  return patch?.hunks ?? [replacement(linesOf(before), linesOf(after))];
}

/** How many lines come and go when a text is replaced by another. */
export function countLineChanges(before: string, after: string): { insertions: number; deletions: number } {
  const parts = diffLines(before, after, { maxEditLength: MAX_DIFFERENCES });
  if (!parts) return { insertions: linesOf(after).length, deletions: linesOf(before).length };
  const count = (kind: 'added' | 'removed'): number =>
    parts.reduce((sum, part) => sum + (part[kind] ? part.count : 0), 0);
  return { insertions: count('added'), deletions: count('removed') };
}

/** Everything between the first and the last line that differ, as one change. */
function replacement(before: readonly string[], after: readonly string[]): PatchHunk {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT_LINES);
  const trailing = Math.min(tail, CONTEXT_LINES);
  const oldEnd = before.length - tail;
  const newEnd = after.length - tail;
  return {
    oldStart: start + 1,
    oldLines: oldEnd + trailing - start,
    newStart: start + 1,
    newLines: newEnd + trailing - start,
    lines: [
      ...shown(' ', before.slice(start, head)),
      ...shown('-', before.slice(head, oldEnd)),
      ...shown('+', after.slice(head, newEnd)),
      ...shown(' ', before.slice(oldEnd, oldEnd + trailing)),
    ],
  };
}

function shown(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_NEWLINE],
  );
}

/** Lines with their ends, so that a last line without one differs from the same line with it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
