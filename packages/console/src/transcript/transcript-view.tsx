import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import type { Loading, SessionFeed } from '../live/session-feed.ts';
import type { Item } from '../model/item.ts';
import { type Row, RowList } from '../model/rows.ts';
import { isScripted } from '../model/scripted.ts';
import type { SessionScreen } from '../model/session-model.ts';
import { entryAt, entryPx } from '../model/unread-space.ts';
import { useCommands } from '../palette/commands.ts';
import { DownIcon } from '../parts/icons.tsx';
import { KeptContext } from '../parts/kept-state.ts';
import { RowBoundary } from '../parts/row-boundary.tsx';
import { t } from '../words/t.ts';
import { ItemView, ScriptedContext } from './item-view.tsx';
import { useLinkedEntry } from './linked-entry.ts';
import { type ReadingPlace, readingPlaceIn, returnTo } from './reading-place.ts';
import { UnreadSpace } from './unread-space.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';
import { useOutline } from './use-outline.ts';

/** This close to the end a reader wants to see what comes. */
const AT_END_PX = 48;

/** So many screens from the start or the end of what is here, the part before or after it is read. */
const NEAR_SCREENS = 2;

/** Who is further away than that has gone elsewhere, and reads there. */
const FAR_SCREENS = 2;

/** So many screens from the end the way back is worth a button: a phone has no End key. */
const FAR_UP_SCREENS = 3;

/** Where a browser says when a scroll is over, what somebody only passes is not read. */
const TELLS_END = 'onscrollend' in window;

const KEYS_UP = ['Home', 'PageUp', 'ArrowUp'];

/** What a {@link TranscriptView} reads on with. */
type Reader = Pick<
  SessionFeed,
  'loadEarlier' | 'loadLater' | 'loadEnd' | 'loadAround' | 'outline' | 'setReading'
>;

export function TranscriptView({
  screen,
  loading,
  sent,
  feed,
}: {
  screen: SessionScreen;
  loading: Loading;
  /** How many prompts were sent from here. */
  sent: number;
  feed: Reader;
}) {
  const { groups, first, end, next, hasEarlier, hasLater, trimmed, activity } = screen;
  const [rowList] = useState(() => new RowList());
  const [kept] = useState(() => new Map<string, boolean>());
  const rows = rowList.of(groups);
  const last = groups.at(-1)?.items.at(-1);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  /** Following sees what comes; a reader who has just opened something follows on if the end is still in sight. */
  const reader = useRef<'following' | 'reading' | 'opening'>('following');
  const top = useRef(0);
  const size = useRef('');
  const place = useRef<ReadingPlace>(undefined);
  /** From a change of the box's size until the reader scrolls: what is above takes its new room bit by bit. */
  const isTurned = useRef(false);
  /** Somebody has hold of the scroll bar, or has given it a swing. */
  const isMoving = useRef(false);
  /** On the way to a link: where the reader still is must not be read on from. */
  const isLed = useRef(false);
  const [hasNewBelow, setNewBelow] = useState(false);
  const [isFarUp, setFarUp] = useState(false);
  const news = newsOf(last);
  const outline = useOutline(feed, isFarUp && (hasEarlier || hasLater), next);
  const { list, drawn, look, bring, toEnd: drawEnd } = useDrawnRows(box, rows);

  const become = useCallback(
    (state: 'following' | 'reading' | 'opening') => {
      reader.current = state;
      feed.setReading(state !== 'following');
      // What comes into sight because somebody scrolls is no news for those who hear the page.
      box.current?.setAttribute('aria-live', state === 'following' ? 'polite' : 'off');
    },
    [feed],
  );

  const toEnd = useCallback(() => {
    const { current } = box;
    if (!current) return;
    current.scrollTop = current.scrollHeight;
    top.current = current.scrollTop;
    become('following');
    drawEnd();
    setNewBelow(false);
    if (hasLater) void feed.loadEnd().catch(() => {});
  }, [become, drawEnd, feed, hasLater]);

  const toStart = (): void => {
    const { current } = box;
    if (!current) return;
    const jump = (): void => {
      place.current = undefined;
      current.scrollTo(0, 0);
    };
    jump();
    if (!hasEarlier) return;
    become('reading');
    feed
      .loadAround(1)
      .then(() => nextFrame(jump))
      .catch(() => {});
  };

  const readOn = (): void => {
    const { current } = box;
    if (!current || !list.current || loading !== 'nothing') return;
    if (reader.current === 'following' || isLed.current) return;
    const [frame, here] = [current.getBoundingClientRect(), list.current.getBoundingClientRect()];
    const [above, below] = [frame.y - here.y, here.bottom - frame.bottom];
    const [near, far] = [NEAR_SCREENS * frame.height, -FAR_SCREENS * frame.height];
    const around = (seq: number): void => {
      if (!isMoving.current) void feed.loadAround(seq).catch(() => {});
    };
    // Before later: who is at both has little on the screen, and came from below.
    if (hasEarlier && above < far) around(entryAt(first, above, next));
    else if (hasEarlier && above < near) void feed.loadEarlier().catch(() => {});
    else if (hasLater && below < far) around(entryAt(end, -below, next));
    else if (hasLater && below < near) void feed.loadLater().catch(() => {});
  };

  useCommands([
    { title: t.transcript.toStart, keys: 'Home', group: 'session', run: toStart },
    { title: t.transcript.toEndOfSession, keys: 'End', group: 'session', run: toEnd },
  ]);

  // Home and End go there in one step: a smooth scroll ends short of where it goes when what it passes takes more room than
  // the browser thought.
  const onKey = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const isPlain = !(altKey || ctrlKey || metaKey || shiftKey);
    if (isPlain && (key === 'Home' || key === 'End')) {
      event.preventDefault();
      if (key === 'Home') toStart();
      if (key === 'End') toEnd();
    }
    // Words that come before the first step would move the goal of a smooth scroll.
    if (KEYS_UP.includes(key) && top.current > 0) become('reading');
  };

  const onScroll = (): void => {
    const { current } = box;
    if (!current) return;
    // Our own steps are known by now, and say nothing about the reader. Theirs do from the first pixel: what is
    // written must not pull them back before a smooth scroll has got away from the end.
    const step = current.scrollTop - top.current;
    const toGo = pixelsToEnd(current);
    if (step !== 0) isMoving.current = TELLS_END;
    top.current = current.scrollTop;
    // A phone that is turned, or opens its keyboard, scrolls by itself before its new size is told.
    if (sizeOf(current) === size.current) {
      if (step < 0 && toGo >= 1) become('reading');
      if (step > 0 && toGo < AT_END_PX && !hasLater) become('following');
      if (step !== 0) isTurned.current = false;
      if (!isTurned.current) place.current = readingPlaceIn(current);
    }
    if (reader.current === 'following') setNewBelow(false);
    look(reader.current === 'following');
    setFarUp(toGo > FAR_UP_SCREENS * current.clientHeight);
    readOn();
  };

  const onScrollEnd = (): void => {
    isMoving.current = false;
    readOn();
  };

  // What is read stays where it is, whatever came or went above it, and whatever room that takes which is drawn only now.
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    // Rows take other room when they are drawn than was kept for them. What that moves is no step of the reader, which it would
    // seem to be once something more is written.
    if (reader.current === 'following') {
      current.scrollTop = current.scrollHeight;
      top.current = current.scrollTop;
    }
    if (reader.current === 'following' || isTurned.current) return;
    if (place.current) returnTo(place.current, current, 'place');
    top.current = current.scrollTop;
    if (sizeOf(current) === size.current) place.current = readingPlaceIn(current);
  });

  // Another part of the record is here, and nobody has scrolled: what is in sight is to be drawn.
  useLayoutEffect(() => {
    if (reader.current !== 'following') look(false);
  }, [first, end]);

  // A row that goes takes the focus with it: the keys would scroll nothing.
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (hadFocus.current && document.activeElement === document.body) current?.focus({ preventScroll: true });
    hadFocus.current = current?.contains(document.activeElement) === true;
  });

  const goTo = useCallback(
    (row: Row, then: (slot: HTMLElement) => void) =>
      bring(row, (slot) => {
        place.current = undefined;
        then(slot);
      }),
    [bring],
  );
  const lead = useCallback(
    (how: 'begin' | 'end') => {
      if (how === 'begin') become('reading');
      isLed.current = how === 'begin';
    },
    [become],
  );
  const open = useLinkedEntry({ rows, screen, loading, feed, lead, goTo });

  // Who is at an edge already will not scroll again.
  useEffect(() => {
    readOn();
  }, [loading, first, hasLater]);

  useEffect(() => {
    if (reader.current !== 'following') setNewBelow(true);
  }, [news, hasLater]);

  // Who writes wants to see it, and what comes of it.
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent, toEnd]);

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const { current } = box;
      if (!current) return;
      if (size.current !== '' && sizeOf(current) !== size.current) isTurned.current = true;
      size.current = sizeOf(current);
      if (reader.current === 'following') toEnd();
      if (reader.current === 'reading' && place.current) {
        returnTo(place.current, current, isTurned.current ? 'part' : 'place');
        top.current = current.scrollTop;
      }
      if (reader.current === 'opening')
        become(pixelsToEnd(current) < AT_END_PX && !hasLater ? 'following' : 'reading');
    });
    // The end moves when something is written, and when what is below takes room.
    for (const { current } of [content, box]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [toEnd, become, hasLater]);

  return (
    <div className="transcript-frame">
      <div
        className="transcript"
        ref={box}
        onScroll={onScroll}
        onScrollEnd={onScrollEnd}
        onKeyDown={onKey}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[aria-expanded]')) become('opening');
        }}
        tabIndex={0}
        role="log"
        aria-label={t.transcript.transcript}
      >
        <div className="rows" ref={content}>
          <UnreadSpace
            outline={outline}
            from={trimmed + 1}
            end={first}
            entryPx={entryPx(next)}
            onOpen={open}
          />
          {hasEarlier && (
            <More
              words={loading === 'earlier' ? t.common.reading : t.transcript.earlier}
              onClick={() => void feed.loadEarlier().catch(() => {})}
            />
          )}
          {trimmed > 0 && !hasEarlier && <p className="faint hint">{t.transcript.notKept(trimmed)}</p>}
          <div ref={list}>
            <div style={{ height: drawn.above }} />
            <KeptContext value={kept}>
              <ScriptedContext value={isScripted(screen.session)}>
                {rows.slice(drawn.from, drawn.to).map((row) => (
                  <Slot key={row.key} row={row} folder={screen.session.folder} />
                ))}
              </ScriptedContext>
            </KeptContext>
            <div style={{ height: drawn.below }} />
          </div>
          {!last && <p className="faint hint">{t.transcript.nothing}</p>}
          {hasLater && (
            <More
              words={loading === 'later' ? t.common.reading : t.transcript.later}
              onClick={() => void feed.loadLater().catch(() => {})}
            />
          )}
          <UnreadSpace outline={outline} from={end} end={next} entryPx={entryPx(next)} onOpen={open} />
          {activity === 'active' && !hasLater && !(last && 'isLive' in last && last.isLive) && (
            <p className="working" role="status">
              <span className="dot" data-state="active" /> {t.transcript.working}
            </p>
          )}
        </div>
      </div>
      {(hasNewBelow || isFarUp) && (
        <button type="button" className="button new-below" onClick={toEnd}>
          <DownIcon /> {hasNewBelow && !hasLater ? t.transcript.newBelow : t.transcript.toEnd}
        </button>
      )}
    </div>
  );
}

function More({ words, onClick }: { words: string; onClick: () => void }) {
  return (
    <button type="button" className="button quiet earlier" onClick={onClick}>
      {words}
    </button>
  );
}

/** Another one when there is more to read at the end: what is only drawn anew, as a cost that is known now, is no news. */
function newsOf(last: Item | undefined): string {
  if (!last) return '';
  const state = last.kind === 'call' ? `${last.state} ${last.children.length}` : '';
  return `${last.key} ${'text' in last ? last.text.length : 0} ${state}`;
}

function sizeOf({ clientWidth, clientHeight }: Element): string {
  return `${clientWidth} × ${clientHeight}`;
}

function pixelsToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** A row with the room around it. */
const Slot = memo(function Slot({ row, folder }: { row: Row; folder: string | null }) {
  return (
    <div className="slot" data-key={row.key}>
      <RowBoundary>
        <ItemView item={row} folder={folder} />
      </RowBoundary>
    </div>
  );
});
