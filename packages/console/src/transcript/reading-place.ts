/** The first row that a reader sees, and where it is. */
export interface ReadingPlace {
  row: Element;
  /** How far below the upper edge of the box it begins. */
  below: number;
  /** Which part of it is above that edge. */
  part: number;
}

/** The first row in sight; undefined where there is none. */
export function readingPlaceIn(box: Element): ReadingPlace | undefined {
  const { top, bottom } = box.getBoundingClientRect();
  for (const row of box.querySelectorAll('.slot')) {
    const { y, height } = row.getBoundingClientRect();
    if (y + height <= top) continue;
    if (y >= bottom) return undefined;
    return { row, below: y - top, part: height > 0 ? Math.max(0, top - y) / height : 0 };
  }
  return undefined;
}

/**
 * Scroll so that the row is where it was: what came or went above it moves nothing that is read. Where lines break elsewhere
 * than before, the same `part` of it is above the edge.
 */
export function returnTo({ row, below, part }: ReadingPlace, box: Element, to: 'place' | 'part'): void {
  if (!row.isConnected) return;
  const { y, height } = row.getBoundingClientRect();
  const wanted = to === 'part' && part > 0 ? -part * height : below;
  const step = y - box.getBoundingClientRect().y - wanted;
  // Less than a pixel is rounding, and would end the swing of a finger.
  if (Math.abs(step) >= 1) box.scrollTop += step;
}
