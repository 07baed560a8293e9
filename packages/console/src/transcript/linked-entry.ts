import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import type { Loading, SessionFeed } from '../live/session-feed.ts';
import { type Row, rowAt } from '../model/rows.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { useEntryInAddress } from '../shell/route.ts';

/** Where a reader wants to go. Gone there once, they may want it again. */
interface Goal {
  seq: number;
}

/**
 * Leads to the entry that the address names, or that is asked for, which may be anywhere in the record: its part is read first.
 * Gives the way to ask for one.
 */
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
}): (seq: number) => void {
  const address = useEntryInAddress();
  const linked = useMemo(
    (): Goal | undefined => (address === undefined ? undefined : { seq: address }),
    [address],
  );
  const [wanted, setWanted] = useState<{ goal: Goal; after: Goal | undefined }>();
  // The latest wish counts.
  const goal = wanted && wanted.after === linked ? wanted.goal : linked;
  const done = useRef<Goal>(undefined);
  /** What was read for it, once: an entry that is not there is not asked for again and again. */
  const asked = useRef<Goal>(undefined);
  const [answered, setAnswered] = useState<Goal>();
  useEffect(() => {
    if (goal === undefined) done.current = undefined;
    if (goal === undefined || done.current === goal || loading !== 'nothing') return;
    const { seq } = goal;
    lead('begin');
    const isHere = seq >= first && seq < end;
    if (!isHere && answered !== goal) {
      if (asked.current === goal) return;
      asked.current = goal;
      // What was read is on the screen with the next frame.
      const settle = (): void => nextFrame(() => setAnswered(goal));
      feed.loadAround(seq).then(settle, settle);
      return;
    }
    done.current = goal;
    asked.current = undefined;
    setAnswered(undefined);
    const row = rows[rowAt(rows, seq) ?? -1];
    if (!row) return lead('end');
    goTo(row, (slot) => {
      show(slot, seq);
      lead('end');
    });
  }, [goal, first, end, rows, loading, feed, lead, goTo, answered]);
  return useCallback((seq) => setWanted({ goal: { seq }, after: linked }), [linked]);
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
