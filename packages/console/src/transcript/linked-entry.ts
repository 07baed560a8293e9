import { type RefObject, useEffect, useRef, useState } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import type { Loading, SessionFeed } from '../live/session-feed.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { useEntryInAddress } from '../shell/route.ts';

/** Leads to the entry that the address names, which may be anywhere in the record: its part is read first. */
export function useLinkedEntry({
  box,
  screen: { first, hasLater, groups },
  loading,
  feed,
  onLead,
}: {
  box: RefObject<HTMLElement | null>;
  screen: SessionScreen;
  loading: Loading;
  feed: Pick<SessionFeed, 'loadAround'>;
  onLead: () => void;
}): void {
  const seq = useEntryInAddress();
  const done = useRef<number>(undefined);
  /** What was read for it, once: an entry that is not there is not asked for again and again. */
  const asked = useRef<number>(undefined);
  const [answered, setAnswered] = useState<number>();
  useEffect(() => {
    if (seq === undefined) done.current = undefined;
    if (seq === undefined || done.current === seq || loading !== 'nothing' || !box.current) return;
    // Before all else: what comes must not take the reader to the end.
    onLead();
    const row = rowAt(box.current, seq);
    const isHere = row !== undefined && seq >= first && (!hasLater || row !== lastRow(box.current));
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
    if (!row) return;
    show(row);
    // What is on the way takes its room only now.
    requestAnimationFrame(() => show(row));
  }, [seq, first, hasLater, groups, loading, box, feed, onLead, answered]);
}

function show(row: HTMLElement): void {
  row.scrollIntoView({ block: 'center' });
  row.focus({ preventScroll: true });
  row.classList.add('linked');
}

/** The row of an entry, or the one before it: not every entry has a row of its own. */
function rowAt(box: HTMLElement, seq: number): HTMLElement | undefined {
  return rowsIn(box).findLast((row) => Number(row.dataset.seq) <= seq);
}

function lastRow(box: HTMLElement): HTMLElement | undefined {
  return rowsIn(box).at(-1);
}

function rowsIn(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[data-seq]')];
}
