import { useMemo } from 'react';
import type { CodeLines } from './highlight-message.ts';
import { useHighlighted } from './highlighted-code.tsx';
import { languageOfFile } from './language-names.ts';

/** What a line of a change needs to be coloured. */
interface SignedLine {
  sign: '+' | '-' | ' ';
  text: string;
}

/** The colours of changed lines; a line that is not there stays as it is. */
export type DiffColors<Line> = ReadonlyMap<Line, CodeLines[number]>;

/** The colours of both sides of a file's changes: each is read as the code that it is, as far as it is shown. */
export function useDiffColors<Line extends SignedLine>(
  path: string,
  lines: readonly Line[],
): DiffColors<Line> {
  const grammar = languageOfFile(path)?.grammar ?? '';
  const before = useMemo(() => lines.filter(({ sign }) => sign !== '+'), [lines]);
  const after = useMemo(() => lines.filter(({ sign }) => sign !== '-'), [lines]);
  const oldColors = useHighlighted(textOf(before), grammar);
  const newColors = useHighlighted(textOf(after), grammar);
  return useMemo(() => {
    const colors = new Map<Line, CodeLines[number]>();
    const add = (side: readonly Line[], found: CodeLines | undefined): void => {
      for (const [at, line] of side.entries()) {
        const tokens = found?.[at];
        if (tokens && tokens.map(([piece]) => piece).join('') === line.text) colors.set(line, tokens);
      }
    };
    add(before, oldColors);
    add(after, newColors);
    return colors;
  }, [before, after, oldColors, newColors]);
}

function textOf(lines: readonly SignedLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}
