import type { SpendReport } from 'signalbox/hub';

const DAY_MS = 86_400_000;

/** How many days fit beside each other. */
const MOST_DAYS = 90;

/** At least so many, so that a first day is no wall. */
const LEAST_DAYS = 14;

/** Every day up to the last one on which something was spent, those on which nothing was included. */
export function daysOf(
  items: SpendReport['items'],
): { day: string; item: SpendReport['items'][number] | undefined }[] {
  const known = new Map(items.map((item) => [item.key ?? '', item]));
  const [first, last] = [items[0]?.key, items.at(-1)?.key];
  if (!first || !last) return [];
  // Days are only counted here: in which zone does not matter.
  const end = Date.parse(`${last}T00:00Z`);
  const span = (end - Date.parse(`${first}T00:00Z`)) / DAY_MS + 1;
  const count = Math.min(MOST_DAYS, Math.max(LEAST_DAYS, span));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(end - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { day, item: known.get(day) };
  });
}
