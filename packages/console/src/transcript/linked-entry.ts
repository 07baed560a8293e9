import { useEffect, useRef, useState } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import type { Loading, SessionFeed } from '../live/session-feed.ts';
import { type Row, rowAt } from '../model/rows.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { useEntryInAddress } from '../shell/route.ts';

/** Leads to the entry that the address names, which may be anywhere in the record: its part is read first. */
export function useLinkedEntry({
  rows,
  screen: { first, end },
  loading,
  feed,
  lead,
  goTo,
}: {
  rows: readonly Row[];
  screen: Pick<SessionScreen, 'first' | 'end'>;
  loading: Loading;
  feed: Pick<SessionFeed, 'loadAround'>;
  /** The reader is being led somewhere; before all else, so that what comes does not take them to the end. */
  lead: (how: 'begin' | 'end') => void;
  goTo: (row: Row, then: (slot: HTMLElement) => void) => void;
}): void {
  const seq = useEntryInAddress();
  const done = useRef<number>(undefined);
  /** What was read for it, once: an entry that is not there is not asked for again and again. */
  const asked = useRef<number>(undefined);
  const [answered, setAnswered] = useState<number>();
  useEffect(() => {
    if (seq === undefined) done.current = undefined;
    if (seq === undefined || done.current === seq || loading !== 'nothing') return;
    lead('begin');
    const isHere = seq >= first && seq < end;
    if (!isHere && answered !== seq) {
      if (asked.current === seq) return;
      asked.current = seq;
      // What was read is on the screen with the next frame.
      const settle = (): void => nextFrame(() => setAnswered(seq));
      feed.loadAround(seq).then(settle, settle);
      return;
    }
    done.current = seq;
    asked.current = undefined;
    setAnswered(undefined);
    const row = rows[rowAt(rows, seq) ?? -1];
    if (!row) return lead('end');
    goTo(row, (slot) => {
      show(slot, seq);
      lead('end');
    });
  }, [seq, first, end, rows, loading, feed, lead, goTo, answered]);
}

function show(slot: HTMLElement, seq: number): void {
  const inside = [...slot.querySelectorAll<HTMLElement>('[data-seq]')];
  const row = inside.findLast(({ dataset }) => Number(dataset.seq) <= seq) ?? slot;
  const center = (): void => row.scrollIntoView({ block: 'center' });
  center();
  // Who looks for words goes on from the field.
  if (!document.activeElement?.closest('.find-bar')) row.focus({ preventScroll: true });
  row.classList.add('linked');
  // What is on the way takes its room only now.
  requestAnimationFrame(center);
}
