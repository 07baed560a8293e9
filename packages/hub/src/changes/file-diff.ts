import type { DiffHunk, FileDiff } from '@signalbox/protocol/hub';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** A diff of git as it is shown; `text` has the changes of one file. */
export function parseDiff(path: string, text: string, isCut: boolean): FileDiff {
  const lines = text.split('\n');
  // The last line is empty, or was cut.
  lines.pop();
  const diff: FileDiff = { path, oldMode: null, newMode: null, isBinary: false, hunks: [], isCut };
  let hunk: DiffHunk | undefined;
  let isNew = false;
  let isGone = false;
  for (const line of lines) {
    const [, oldStart, newStart, title = ''] = HUNK.exec(line) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      hunk = { oldStart: Number(oldStart), newStart: Number(newStart), title, lines: [] };
      diff.hunks.push(hunk);
    } else if (hunk && /^[ +\-\\]/.test(line)) hunk.lines.push(line);
    else if (hunk) {
      // The changes of another file: a copy of this one under a new name. One is asked for.
      break;
    } else {
      isNew ||= line.startsWith('new file mode ');
      isGone ||= line.startsWith('deleted file mode ');
      readHeader(diff, line);
    }
  }
  if (isNew) diff.oldMode = null;
  if (isGone) diff.newMode = null;
  return diff;
}

function readHeader(diff: FileDiff, line: string): void {
  const [, name, mode = ''] = /^(old mode|new mode|new file mode|deleted file mode) (\d+)$/.exec(line) ?? [];
  if (name === 'old mode' || name === 'deleted file mode') diff.oldMode = mode;
  if (name === 'new mode' || name === 'new file mode') diff.newMode = mode;
  const same = /^index \S+ (\d+)$/.exec(line)?.[1];
  if (same !== undefined) {
    diff.oldMode = same;
    diff.newMode = same;
  }
  const oldPath = /^rename from (.+)$/.exec(line)?.[1];
  if (oldPath !== undefined) diff.oldPath = oldPath;
  if (/^Binary files .* differ$/.test(line)) diff.isBinary = true;
}
