import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Session } from 'signalbox/hub';
import { BoardFeed, type BoardView } from '../live/board-feed.ts';
import { useHub } from '../shell/hub-context.ts';

const NOTHING: BoardView = { glances: new Map(), asks: [], isRead: false, answered: [] };
const NEVER = (): (() => void) => () => {};

/** What these sessions do and ask, for as long as somebody looks. `isListed`: they are what the hub has, and not what the browser kept. */
export function useBoard(sessions: readonly Session[], isListed: boolean): BoardView {
  const { stream, keeper } = useHub();
  const [feed, setFeed] = useState<BoardFeed>();
  useEffect(() => {
    const next = new BoardFeed(stream, keeper);
    setFeed(next);
    return () => next.end();
  }, [stream, keeper]);
  useEffect(() => feed?.follow(sessions, isListed), [feed, sessions, isListed]);
  return useSyncExternalStore(feed?.subscribe ?? NEVER, feed?.view ?? (() => NOTHING));
}
