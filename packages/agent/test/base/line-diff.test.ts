import { describe, expect, it } from 'vitest';
import { type PatchHunk, patchHunks } from '../../src/base/line-diff.ts';
import { seeded } from '../tools/tool-bench.ts';

/** What a text is once a patch has been applied; throws where the patch does not fit. */
function applied(before: string, hunks: readonly PatchHunk[]): string {
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...source.slice(at, hunk.oldStart - 1));
    at = hunk.oldStart - 1;
    expect(result.length).toBe(hunk.newStart - 1);
    const counted = { old: 0, new: 0 };
    for (const [index, line] of hunk.lines.entries()) {
      if (line.startsWith('\\')) continue;
      const text = line.slice(1) + (hunk.lines[index + 1]?.startsWith('\\') ? '' : '\n');
      if (line[0] !== '+') {
        expect(source[at]).toBe(text);
        at += 1;
        counted.old += 1;
      }
      if (line[0] !== '-') {
        result.push(text);
        counted.new += 1;
      }
    }
    expect(counted).toEqual({ old: hunk.oldLines, new: hunk.newLines });
  }
  return [...result, ...source.slice(at)].join('');
}

describe('a structured patch', () => {
  it('[TL22] makes the new text of the old one, whatever they are', () => {
    const random = seeded(7);
    for (let round = 0; round < 500; round += 1) {
      const text = (): string =>
        Array.from({ length: random(30) }, () => `${'abc'[random(3)]}\n`).join('') + ['', 'end'][random(2)];
      const [before, after] = [text(), text()];
      expect(applied(before, patchHunks(before, after))).toBe(after);
    }
  });

  it('[TL22] shows three lines around a change, and far changes apart', () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at}\n`);
    const after = before.map((line, at) => (at === 5 || at === 12 || at === 25 ? 'x\n' : line));
    const hunks = patchHunks(before.join(''), after.join(''));
    expect(hunks.map(({ oldStart, oldLines }) => [oldStart, oldLines])).toEqual([
      [3, 14],
      [23, 7],
    ]);
    expect(hunks[1]?.lines).toEqual([' 22', ' 23', ' 24', '-25', '+x', ' 26', ' 27', ' 28']);
  });

  it('[TL22] finds the shortest change, and is quick about texts that have nothing in common', () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}\n`);
    const moved = [...lines.slice(1), lines[0]].join('');
    const changed = patchHunks(lines.join(''), moved).flatMap((hunk) => hunk.lines);
    expect(changed.filter((line) => line[0] !== ' ')).toEqual(['-line 0', '+line 0']);
    const other = lines.map((line) => `other ${line}`).join('');
    expect(applied(lines.join(''), patchHunks(lines.join(''), other))).toBe(other);
  });
});
