import { useEffect, useState, useSyncExternalStore } from 'react';
import { LineFeed, type LineView } from '../live/line-feed.ts';
import { useHub } from '../shell/hub-context.ts';

const NOTHING: LineView = { lines: [], hasEarlier: false, isReading: true, problem: '' };
const NEVER = (): (() => void) => () => {};

/** The last lines of a session's record, up to `next`; while that stays, nothing more is read. */
export function useLines(session: string, next: number): LineView & { readEarlier: () => void } {
  const { api } = useHub();
  const [feed, setFeed] = useState<LineFeed>();
  useEffect(() => setFeed(new LineFeed(api, session)), [api, session]);
  useEffect(() => void feed?.readTo(next), [feed, next]);
  const view = useSyncExternalStore(feed?.subscribe ?? NEVER, feed?.view ?? (() => NOTHING));
  return { ...view, readEarlier: () => void feed?.readEarlier() };
}
