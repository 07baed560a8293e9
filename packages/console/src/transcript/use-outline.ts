import type { OutlinePart } from '@signalbox/protocol/hub';
import { useEffect, useState } from 'react';
import type { SessionFeed } from '../live/session-feed.ts';

const NONE: readonly OutlinePart[] = [];

/** The turns of a record; read when somebody goes where the page does not hold it, and again when they do so later. */
export function useOutline(
  feed: Pick<SessionFeed, 'outline'>,
  isWanted: boolean,
  next: number,
): readonly OutlinePart[] {
  const [known, setKnown] = useState({ feed, next: 0, items: NONE });
  useEffect(() => {
    if (!isWanted || (known.feed === feed && known.next === next)) return;
    let isOver = false;
    const read = async (): Promise<void> => {
      const { items, isComplete } = await feed.outline();
      if (isOver) return;
      setKnown({ feed, next, items });
      // An index that is being made waits a while before it says so.
      if (!isComplete) await read();
    };
    // Without it, what is not here has its room all the same.
    read().catch(() => {});
    return () => {
      isOver = true;
    };
    // What is recorded meanwhile is at the end of what is known.
  }, [feed, isWanted]);
  return known.feed === feed ? known.items : NONE;
}
