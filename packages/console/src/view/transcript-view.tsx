import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ItemGroup } from '../model/item.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { DownIcon } from './icons.tsx';
import { ItemView } from './item-view.tsx';

/** This close to the end a reader wants to see what comes. */
const AT_END_PX = 48;

/** This close to the start the part before it is read. */
const NEAR_START_PX = 800;

const KEYS_UP = ['Home', 'PageUp', 'ArrowUp'];

export function TranscriptView({
  screen,
  earlier,
  sent,
  onEarlier,
}: {
  screen: SessionScreen;
  earlier: 'here' | 'loading';
  /** How many prompts were sent from here. */
  sent: number;
  onEarlier: () => Promise<void>;
}) {
  const { groups, first, hasEarlier, activity } = screen;
  const last = groups.at(-1)?.items.at(-1);
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** Following sees what comes; a reader who has just opened something follows on if the end is still in sight. */
  const reader = useRef<'following' | 'reading' | 'opening'>('following');
  const top = useRef(0);
  /** How far the end was away when an earlier part was asked for: what a reader sees stays where it is. */
  const fromEnd = useRef<number | undefined>(undefined);
  const [hasNewBelow, setNewBelow] = useState(false);

  const toEnd = useCallback(() => {
    const { current } = box;
    if (!current) return;
    current.scrollTop = current.scrollHeight;
    top.current = current.scrollTop;
    reader.current = 'following';
    setNewBelow(false);
  }, []);

  const readOn = (): void => {
    const isNearStart = box.current !== null && box.current.scrollTop < NEAR_START_PX;
    if (hasEarlier && earlier === 'here' && isNearStart) void onEarlier().catch(() => {});
  };

  // Home and End go there in one step: a smooth scroll ends short of where it goes when what it passes takes more room than
  // the browser thought.
  const onKey = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const isPlain = !(altKey || ctrlKey || metaKey || shiftKey);
    if (isPlain && (key === 'Home' || key === 'End')) {
      event.preventDefault();
      if (key === 'Home' && box.current) box.current.scrollTop = 0;
      if (key === 'End') toEnd();
    }
    // Words that come before the first step would move the goal of a smooth scroll.
    if (KEYS_UP.includes(key) && top.current > 0) reader.current = 'reading';
  };

  const onScroll = (): void => {
    const { current } = box;
    if (!current) return;
    // Our own steps are known by now, and say nothing about the reader. Theirs do from the first pixel: what is
    // written must not pull them back before a smooth scroll has got away from the end.
    const step = current.scrollTop - top.current;
    const toGo = pixelsToEnd(current);
    top.current = current.scrollTop;
    if (step < 0 && toGo >= 1) reader.current = 'reading';
    if (step > 0 && toGo < AT_END_PX) reader.current = 'following';
    if (reader.current === 'following') setNewBelow(false);
    readOn();
  };

  useLayoutEffect(() => {
    const { current } = box;
    if (earlier === 'loading' && current) fromEnd.current = current.scrollHeight - current.scrollTop;
  });

  useLayoutEffect(() => {
    const { current } = box;
    if (!current || fromEnd.current === undefined || reader.current === 'following') return;
    current.scrollTop = current.scrollHeight - fromEnd.current;
    fromEnd.current = undefined;
  }, [first]);

  // Who got to the start while a part was read will not scroll again.
  useEffect(() => {
    if (reader.current === 'reading') readOn();
  }, [earlier]);

  useEffect(() => {
    if (reader.current !== 'following') setNewBelow(true);
  }, [last]);

  // Who writes wants to see it, and what comes of it.
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent, toEnd]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (reader.current === 'following') toEnd();
      if (reader.current !== 'opening' || !box.current) return;
      reader.current = pixelsToEnd(box.current) < AT_END_PX ? 'following' : 'reading';
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
        onKeyDown={onKey}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[aria-expanded]')) reader.current = 'opening';
        }}
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

function pixelsToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
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
