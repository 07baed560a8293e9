import { diffLines, type LineChange } from './diff-lines.ts';

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
export function structuredPatch(before: string, after: string): PatchHunk[] {
  const oldText = linesOf(before);
  const newText = linesOf(after);
  const groups = groupNearby(diffLines(oldText, newText));
  return groups.map((changes) => hunkOf(changes, oldText, newText));
}

/** Changes whose surroundings touch are shown together. */
function groupNearby(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last && change.oldAt - (last.oldAt + last.removed) <= 2 * CONTEXT_LINES;
    if (group && isNear) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(changes: readonly LineChange[], oldText: Line[], newText: Line[]): PatchHunk {
  const [first] = changes;
  const lead = Math.min(CONTEXT_LINES, first?.oldAt ?? 0);
  const hunk: PatchHunk = {
    oldStart: (first?.oldAt ?? 0) - lead + 1,
    oldLines: 0,
    newStart: (first?.newAt ?? 0) - lead + 1,
    newLines: 0,
    lines: [],
  };
  let oldAt = hunk.oldStart - 1;
  const add = (sign: ' ' | '-' | '+', lines: readonly Line[]): void => {
    if (sign !== '+') hunk.oldLines += lines.length;
    if (sign !== '-') hunk.newLines += lines.length;
    for (const line of lines) {
      hunk.lines.push(sign + line.replace(/\n$/, ''));
      if (!line.endsWith('\n')) hunk.lines.push(NO_NEWLINE);
    }
  };
  for (const change of changes) {
    add(' ', oldText.slice(oldAt, change.oldAt));
    oldAt = change.oldAt + change.removed;
    add('-', oldText.slice(change.oldAt, oldAt));
    add('+', newText.slice(change.newAt, change.newAt + change.added));
  }
  add(' ', oldText.slice(oldAt, oldAt + CONTEXT_LINES));
  return hunk;
}

/** A line with its end, so that a last line without one differs from the same line with it. */
type Line = string;

function linesOf(text: string): Line[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
