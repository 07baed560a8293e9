import { sessionTitle } from '@signalbox/protocol';
import type { Notice, NoticeTarget, Session } from 'signalbox/hub';
import { t } from '../words/t.ts';

const KINDS: Readonly<Record<Notice['kind'], string>> = t.notices.kinds;

const STATES: Readonly<Record<Notice['deliveries'][number]['state'], string>> = t.notices.states;

/** What a notice is about, and which session. Of one that is no more its title tells, as it was sent. */
export function noticeTitle({ kind, session, title }: Notice, sessions: readonly Session[]): string {
  const known = sessions.find(({ id }) => id === session);
  return `${KINDS[kind]}: ${known ? sessionTitle(known) : title}`;
}

/** What became of it at one target. */
export function deliveryWords({
  targetName,
  state,
  attempts,
  outcome,
}: Notice['deliveries'][number]): string {
  const isOdd = state === 'failed' || (state === 'waiting' && outcome !== null);
  const why = isOdd && outcome !== null ? `: ${outcome}` : '';
  const tries = isOdd && attempts > 1 ? t.notices.attempts(attempts) : '';
  return `${targetName}: ${STATES[state]}${why}${tries}`;
}

/** What a target gets. */
export function targetWords({ type, address, kinds, mayAnswer, retired }: NoticeTarget): string {
  if (retired) return t.notices.retired(retired.why);
  const what =
    kinds.length === 4
      ? t.notices.everything
      : kinds.map((kind) => KINDS[kind].toLocaleLowerCase()).join(', ');
  return `${type} · ${address} · ${what}${mayAnswer ? ` · ${t.notices.mayAnswer}` : ''}`;
}
