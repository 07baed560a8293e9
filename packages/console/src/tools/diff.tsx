import { type DiffLine, runsOf } from '../model/line-diff.ts';
import { firstOf } from '../model/many.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';

/** More lines than this are a file to read, not a change to look at. */
const SHOWN_LINES = 400;

/** Changed lines. `isWhole`: somebody decides about them, and nothing is left out. */
export function Diff({ lines, isWhole = false }: { lines: readonly DiffLine[]; isWhole?: boolean }) {
  const [shown, rest] = firstOf(lines, SHOWN_LINES);
  return (
    <ScrollBox className="code diff" label="Changes">
      {shown.map((line, index) => (
        <DiffRow key={index} {...line} />
      ))}
      {isWhole && runsOf(rest).map((run, index) => <DiffRow key={index} {...run} isRun />)}
      {!isWhole && rest.length > 0 && <div className="faint">{rest.length} more lines</div>}
    </ScrollBox>
  );
}

function DiffRow({ sign, text, isRun = false }: DiffLine & { isRun?: boolean }) {
  return (
    <div className={isRun ? 'diff-line diff-run' : 'diff-line'} data-sign={sign}>
      <span aria-hidden="true">{sign}</span>
      {text || ' '}
    </div>
  );
}
