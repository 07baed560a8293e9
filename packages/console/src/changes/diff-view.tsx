import { useMemo, useState } from 'react';
import type { FileDiff } from 'signalbox/hub';
import { type DiffColors, useDiffColors } from '../highlight/diff-colors.ts';
import { CodeLine } from '../highlight/highlighted-code.tsx';
import { type DiffRow, rowsOf, type SplitRow, splitRows } from '../model/diff-rows.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { t } from '../words/t.ts';
import { LineComments, LineNumber } from './line-comments.tsx';

/** How a diff is laid out. */
export type DiffLayout = 'unified' | 'split';

/** As many lines as are drawn at once. */
const PAGE_LINES = 1500;

interface ShownHunk {
  title: string;
  rows: DiffRow[];
}

/** The changed lines of one file. */
export function DiffView({ diff, layout }: { diff: FileDiff; layout: DiffLayout }) {
  const [most, setMost] = useState(PAGE_LINES);
  const { hunks, hasMore } = useMemo(() => shownHunks(diff, most), [diff, most]);
  const allRows = useMemo(() => hunks.flatMap(({ rows }) => rows), [hunks]);
  const colors = useDiffColors(diff.path, allRows);
  if (diff.isBinary) return <p className="change-note">{t.changes.binaryFile}</p>;
  return (
    <>
      <Mode diff={diff} />
      {hunks.length > 0 && (
        <ScrollBox className={`change-lines ${layout}`} label={t.changes.changesOf(diff.path)}>
          {hunks.map(({ title, rows }, at) => (
            <div key={at} className="change-hunk">
              <div className="change-title">{t.changes.line(rows[0]?.new ?? rows[0]?.old ?? 0, title)}</div>
              {layout === 'unified'
                ? rows.map((row, line) => <UnifiedLine key={line} row={row} colors={colors} />)
                : splitRows(rows).map((pair, line) => <SplitLine key={line} {...pair} colors={colors} />)}
            </div>
          ))}
        </ScrollBox>
      )}
      {hasMore && (
        <button type="button" className="button quiet" onClick={() => setMost(most + PAGE_LINES)}>
          {t.changes.showMoreLines}
        </button>
      )}
      {diff.isCut && !hasMore && <p className="change-note">{t.changes.cutOff}</p>}
    </>
  );
}

/** What a file became, where its lines do not say it. */
function Mode({ diff: { oldMode, newMode, hunks, oldPath } }: { diff: FileDiff }) {
  if (oldMode !== null && newMode !== null && oldMode !== newMode)
    return <p className="change-note">{t.changes.modeChanged(oldMode, newMode)}</p>;
  if (hunks.length > 0) return null;
  const words = oldPath === undefined ? t.changes.isEmpty : t.changes.onlyRenamed;
  return <p className="change-note">{words}</p>;
}

type Colors = DiffColors<DiffRow>;

function UnifiedLine({ row, colors }: { row: DiffRow; colors: Colors }) {
  return (
    <>
      <div className="change-line" data-sign={row.sign}>
        <LineNumber row={row} side="old" />
        <LineNumber row={row} side="new" />
        <Text row={row} colors={colors} />
      </div>
      <LineComments row={row} />
    </>
  );
}

function SplitLine({ left, right, colors }: SplitRow & { colors: Colors }) {
  return (
    <>
      <div className="change-pair">
        <SideLine row={left} side="old" colors={colors} />
        <SideLine row={right} side="new" colors={colors} />
      </div>
      {left && left !== right && <LineComments row={left} />}
      {right && <LineComments row={right} />}
    </>
  );
}

function SideLine({ row, side, colors }: { row: DiffRow | undefined; side: 'old' | 'new'; colors: Colors }) {
  if (!row) return <div className="change-line change-none" />;
  return (
    <div className="change-line" data-sign={row.sign}>
      <LineNumber row={row} side={side} />
      <Text row={row} colors={colors} />
    </div>
  );
}

const SIGN_WORDS = { '+': t.changes.added, '-': t.changes.removed, ' ': '' };

function Text({ row, colors }: { row: DiffRow; colors: Colors }) {
  return (
    <>
      <span className="change-sign" aria-hidden="true">
        {row.sign}
      </span>
      <code className="change-text">
        {row.sign !== ' ' && <span className="unseen">{SIGN_WORDS[row.sign]} </span>}
        <CodeLine text={row.text} tokens={colors.get(row)} />
        {row.note !== undefined && <span className="faint"> {row.note}</span>}
      </code>
    </>
  );
}

function shownHunks({ hunks }: FileDiff, most: number): { hunks: ShownHunk[]; hasMore: boolean } {
  const shown: ShownHunk[] = [];
  let left = most;
  for (const hunk of hunks) {
    if (left <= 0) break;
    const rows = rowsOf(hunk);
    shown.push({ title: hunk.title, rows: rows.slice(0, left) });
    left -= rows.length;
  }
  return { hunks: shown, hasMore: left < 0 || shown.length < hunks.length };
}
