import type { OutlinePart } from '@signalbox/protocol/hub';
import { memo, useMemo } from 'react';
import { type Fold, foldsOf } from '../model/folds.ts';
import { ChevronIcon } from '../parts/icons.tsx';
import { number, period } from '../words/format.ts';
import { t } from '../words/t.ts';

/**
 * The part of the record that is not here, with the room that it takes, as folded turns: who goes there has it read. What a fold
 * says stays in sight as long as its room is.
 */
export const UnreadSpace = memo(function UnreadSpace({
  outline,
  from,
  end,
  entryPx,
  onOpen,
}: {
  outline: readonly OutlinePart[];
  /** The first entry of it, and the one that follows the last. */
  from: number;
  end: number;
  entryPx: number;
  /** To be the same each time. */
  onOpen: (seq: number) => void;
}) {
  const folds = useMemo(() => foldsOf(outline, from, end, entryPx), [outline, from, end, entryPx]);
  return folds.map((fold) => (
    <div key={fold.from} className="fold" style={{ height: (fold.end - fold.from) * entryPx }}>
      <button type="button" className="fold-row" tabIndex={-1} onClick={() => onOpen(fold.from)}>
        <ChevronIcon />
        {fold.words !== '' && (
          <span className="fold-words" dir="auto">
            {fold.words}
          </span>
        )}
        <span className="fold-facts">{factsOf(fold)}</span>
      </button>
    </div>
  ));
});

function factsOf({ from, end, turns, time, until }: Fold): string {
  const facts = [
    ...(turns > 0 ? [t.transcript.turns(turns, number(turns))] : []),
    t.transcript.entries(end - from, number(end - from)),
    ...(time === undefined ? [] : [period(time, turns > 1 ? until : undefined)]),
  ];
  return facts.join(' · ');
}
