import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ItemGroup } from '../model/item.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { DownIcon } from './icons.tsx';
import { ItemView } from './item-view.tsx';

/** This close to the end a reader wants to see what comes. */
const AT_END_PX = 48;

/** This close to the start the part before it is read. */
const NEAR_START_PX = 800;

export function TranscriptView({
  screen,
  earlier,
  onEarlier,
}: {
  screen: SessionScreen;
  earlier: 'here' | 'loading';
  onEarlier: () => Promise<void>;
}) {
  const { groups, first, hasEarlier, activity } = screen;
  const last = groups.at(-1)?.items.at(-1);
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const top = useRef(0);
  /** How far the end was away when an earlier part was asked for: what a reader sees stays where it is. */
  const fromEnd = useRef<number | undefined>(undefined);
  const [hasNewBelow, setNewBelow] = useState(false);

  const toEnd = useCallback(() => {
    const { current } = box;
    if (current) current.scrollTop = current.scrollHeight;
    setNewBelow(false);
  }, []);

  const onScroll = (): void => {
    const { current } = box;
    if (!current) return;
    const toGo = current.scrollHeight - current.scrollTop - current.clientHeight;
    // A smooth scroll begins with a step so small that it is still at the end: what is written must not pull a
    // reader back who goes up.
    const goesUp = current.scrollTop < top.current && toGo >= 1;
    top.current = current.scrollTop;
    isFollowing.current = toGo < AT_END_PX && !goesUp;
    if (isFollowing.current) setNewBelow(false);
    if (hasEarlier && earlier === 'here' && current.scrollTop < NEAR_START_PX) {
      void onEarlier().catch(() => {});
    }
  };

  useLayoutEffect(() => {
    const { current } = box;
    if (earlier === 'loading' && current) fromEnd.current = current.scrollHeight - current.scrollTop;
  });

  useLayoutEffect(() => {
    const { current } = box;
    if (!current || fromEnd.current === undefined || isFollowing.current) return;
    current.scrollTop = current.scrollHeight - fromEnd.current;
    fromEnd.current = undefined;
  }, [first]);

  useEffect(() => {
    if (!isFollowing.current) setNewBelow(true);
  }, [last?.key]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) toEnd();
    });
    // The end moves when something is written, and when what is below takes room.
    for (const { current } of [rows, box]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [toEnd]);

  return (
    <div className="transcript-frame">
      <div
        className="transcript"
        ref={box}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-label="Transcript"
      >
        <div className="rows" ref={rows}>
          {hasEarlier && (
            <button
              type="button"
              className="button quiet earlier"
              onClick={() => void onEarlier().catch(() => {})}
            >
              {earlier === 'loading' ? 'Reading …' : 'Earlier'}
            </button>
          )}
          {groups.map((group) => (
            <Group key={group.key} group={group} folder={screen.session.folder} />
          ))}
          {!last && <p className="faint hint">Nothing has been said here yet.</p>}
          {activity === 'active' && !(last && 'isLive' in last && last.isLive) && (
            <p className="working" role="status">
              <span className="dot" data-state="active" /> working
            </p>
          )}
        </div>
      </div>
      {hasNewBelow && (
        <button type="button" className="button new-below" onClick={toEnd}>
          <DownIcon /> New below
        </button>
      )}
    </div>
  );
}

/** A browser skips groups that are out of sight, and we those that have not changed. */
const Group = memo(function Group({ group, folder }: { group: ItemGroup; folder: string | null }) {
  return (
    <div className="group">
      {group.items.map((item) => (
        <ItemView key={item.key} item={item} folder={folder} />
      ))}
    </div>
  );
});
