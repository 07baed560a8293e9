import { useMemo } from 'react';
import { useDiffColors } from '../highlight/diff-colors.ts';
import type { CodeToken } from '../highlight/highlight-message.ts';
import { CodeLine } from '../highlight/highlighted-code.tsx';
import { type DiffLine, runsOf } from '../model/line-diff.ts';
import { firstOf } from '../model/many.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { t } from '../words/t.ts';

/** More lines than this are a file to read, not a change to look at. */
const SHOWN_LINES = 400;

/** Changed lines, in the colours of their file. `isWhole`: somebody decides about them, and nothing is left out. */
export function Diff({
  lines,
  path = '',
  isWhole = false,
}: {
  lines: readonly DiffLine[];
  path?: string;
  isWhole?: boolean;
}) {
  const [shown, rest] = useMemo(() => firstOf(lines, SHOWN_LINES), [lines]);
  const colors = useDiffColors(path, shown);
  return (
    <ScrollBox className="code diff" label={t.tools.changes}>
      {shown.map((line, index) => (
        <DiffRow key={index} {...line} tokens={colors.get(line)} />
      ))}
      {isWhole && runsOf(rest).map((run, index) => <DiffRow key={index} {...run} isRun />)}
      {!isWhole && rest.length > 0 && <div className="faint">{t.tools.moreDiffLines(rest.length)}</div>}
    </ScrollBox>
  );
}

function DiffRow({
  sign,
  text,
  tokens,
  isRun = false,
}: DiffLine & { tokens?: readonly CodeToken[] | undefined; isRun?: boolean }) {
  return (
    <div className={isRun ? 'diff-line diff-run' : 'diff-line'} data-sign={sign}>
      <span aria-hidden="true">{sign}</span>
      <div>{text === '' ? ' ' : <CodeLine text={text} tokens={tokens} />}</div>
    </div>
  );
}
