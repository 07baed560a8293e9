import type { Session } from '@signalbox/protocol/hub';
import { locale } from '../words/language.ts';
import { t } from '../words/t.ts';

/** The sessions as a list shows them: those that ask come first, then the newest change. */
export function inOrder(sessions: Iterable<Session>): Session[] {
  return [...sessions].toSorted(
    (a, b) => Number(b.state === 'asking') - Number(a.state === 'asking') || b.updatedAt - a.updatedAt,
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, in a word or two. */
export function ago(time: number, now: number): string {
  const past = now - time;
  if (past < MINUTE_MS) return t.model.now;
  if (past < HOUR_MS) return t.model.ago(Math.floor(past / MINUTE_MS), 'minutes');
  if (past < DAY_MS) return t.model.ago(Math.floor(past / HOUR_MS), 'hours');
  return t.model.ago(Math.floor(past / DAY_MS), 'days');
}

/** The time of a moment, with its day when that is not today. */
export function momentWords(moment: number, now = Date.now()): string {
  const isToday = new Date(moment).toDateString() === new Date(now).toDateString();
  return new Date(moment).toLocaleString(
    locale,
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
