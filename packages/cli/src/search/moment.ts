const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const DAY_MS = 86_400_000;

/**
 * A moment as people type it: `3d` (so long ago), `2026-11-17` (a day of this place) or `2026-11-17T08:30`. With `isEnd` a day is
 * meant up to its end. Undefined for anything else.
 */
export function momentOf(text: string, now: number, isEnd = false): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return Math.max(0, now - Number(count) * (UNITS[unit] ?? 0));
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/.test(text)) return undefined;
  const isDay = text.length === 10;
  const time = Date.parse(isDay ? `${text}T00:00` : text);
  if (Number.isNaN(time) || time < 0) return undefined;
  // A day is 23 or 25 hours long twice a year.
  return isDay && isEnd ? new Date(time + DAY_MS * 1.5).setHours(0, 0, 0, 0) : time;
}
