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
  const edge = box.getBoundingClientRect().y;
  const isInSight = (element: Element): boolean => element.getBoundingClientRect().bottom > edge;
  const group = [...box.querySelectorAll('.group')].find(isInSight);
  const row = [...(group?.children ?? [])].find(isInSight);
  if (!row) return undefined;
  const { y, height } = row.getBoundingClientRect();
  return { row, below: y - edge, part: height > 0 ? Math.max(0, edge - y) / height : 0 };
}

/** Scroll so that the row is where it was: what came or went above it, and lines that break elsewhere, move nothing that is read. */
export function returnTo({ row, below, part }: ReadingPlace, box: Element): void {
  if (!row.isConnected) return;
  const { y, height } = row.getBoundingClientRect();
  const wanted = part > 0 ? -part * height : below;
  const step = y - box.getBoundingClientRect().y - wanted;
  // Less than a pixel is rounding, and would end the swing of a finger.
  if (Math.abs(step) >= 1) box.scrollTop += step;
}
