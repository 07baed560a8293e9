import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type DrawnRows, drawnRows, RowHeights, type Whereabouts } from '../model/drawn-rows.ts';
import { type Row, rowAt, seqOf } from '../model/rows.ts';

/** So many screens are drawn before and after what is in sight: who scrolls finds them there. */
const SCREENS_AROUND = 1.5;
const LEAST_AROUND_PX = 1000;

/** What a screen has room for, until it is known. */
const USUAL_SCREEN_PX = 1000;

/** A selection that goes over more rows loses its beginning. */
const MAX_HELD_ROWS = 600;

/** A row that is to be brought into sight, wherever it is. */
interface Goal {
  key: string;
  onDrawn: (row: HTMLElement) => void;
}

/** Draws the rows around what is in sight; the others are room that is kept for them. */
export function useDrawnRows(box: RefObject<HTMLElement | null>, rows: readonly Row[]) {
  const list = useRef<HTMLDivElement>(null);
  const [heights] = useState(() => new RowHeights());
  const [whereabouts, setWhereabouts] = useState<Whereabouts>('end');
  const goal = useRef<Goal>(undefined);
  const last = useRef<DrawnRows>(undefined);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const at = useMemo(() => placeOf(rows, keys, whereabouts), [rows, keys, whereabouts]);
  const inSight = box.current?.clientHeight || USUAL_SCREEN_PX;
  const around = Math.max(LEAST_AROUND_PX, SCREENS_AROUND * inSight);
  const wanted = drawnRows(keys, at, heights, { inSight, around });
  const isSelecting = hasSelectionIn(box.current);
  const drawn = isSelecting ? withHeld(wanted, last.current, keys, heights) : wanted;

  const measure = useCallback(() => {
    for (const slot of list.current?.children ?? [])
      if (slot instanceof HTMLElement && slot.dataset.key !== undefined)
        heights.set(slot.dataset.key, slot.getBoundingClientRect().height);
  }, [heights]);

  useLayoutEffect(() => {
    measure();
    last.current = drawn;
    if (!goal.current) return;
    const { key, onDrawn } = goal.current;
    const slot = [...(list.current?.children ?? [])].find(
      (child) => child instanceof HTMLElement && child.dataset.key === key,
    );
    if (!(slot instanceof HTMLElement)) return;
    goal.current = undefined;
    onDrawn(slot);
  });

  useLayoutEffect(() => heights.keep(new Set(keys)), [heights, keys]);

  /** The reader has scrolled: draw what is around the first row in sight. */
  const look = (isAtEnd: boolean): void => {
    const { current } = box;
    if (!current || !list.current) return;
    if (isAtEnd) return setWhereabouts('end');
    measure();
    const top = current.getBoundingClientRect().y - list.current.getBoundingClientRect().y;
    const index = heights.at(keys, top);
    const row = rows[index];
    const before = at === 'end' ? keys.length : at;
    const moved = heights.sum(keys, Math.min(before, index), Math.max(before, index));
    if (row && moved > around / 3) setWhereabouts({ key: row.key, seq: seqOf(row) });
  };

  /** Draw a row and what is around it, and do something with it then. */
  const bring = useCallback((row: Row, onDrawn: (row: HTMLElement) => void) => {
    goal.current = { key: row.key, onDrawn };
    setWhereabouts({ key: row.key, seq: seqOf(row) });
  }, []);

  const toEnd = useCallback(() => setWhereabouts('end'), []);

  return { list, drawn, look, bring, toEnd };
}

function placeOf(rows: readonly Row[], keys: readonly string[], whereabouts: Whereabouts): number | 'end' {
  if (whereabouts === 'end') return 'end';
  const index = keys.indexOf(whereabouts.key);
  if (index >= 0) return index;
  return whereabouts.seq === undefined ? 'end' : (rowAt(rows, whereabouts.seq) ?? 0);
}

/** What is selected stays drawn, with all that is between it and what is in sight. */
function withHeld(
  drawn: DrawnRows,
  last: DrawnRows | undefined,
  keys: readonly string[],
  heights: RowHeights,
): DrawnRows {
  if (!last) return drawn;
  const [from, to] = [Math.min(drawn.from, last.from), Math.min(keys.length, Math.max(drawn.to, last.to))];
  if (to - from > MAX_HELD_ROWS) return drawn;
  return { from, to, above: heights.sum(keys, 0, from), below: heights.sum(keys, to) };
}

function hasSelectionIn(box: Element | null): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && box?.contains(selection.anchorNode) === true;
}
