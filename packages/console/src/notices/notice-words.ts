import type { Notice, NoticeTarget } from 'signalbox/hub';

const KINDS: Record<Notice['kind'], string> = {
  asks: 'Asks',
  finished: 'Finished',
  failed: 'Failed',
  budget: 'Budget',
  test: 'Test',
};

const STATES: Record<Notice['deliveries'][number]['state'], string> = {
  held: 'held back: somebody looks',
  quiet: 'quiet: somebody was looking',
  waiting: 'waits',
  sent: 'sent',
  failed: 'failed',
  withdrawn: 'withdrawn: answered before it left',
  closing: 'answered, being withdrawn',
  closed: 'answered, and withdrawn',
};

/** What a notice is about, in a word. */
export function kindWords(kind: Notice['kind']): string {
  return KINDS[kind];
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
  const tries = isOdd && attempts > 1 ? `, ${attempts} attempts` : '';
  return `${targetName}: ${STATES[state]}${why}${tries}`;
}

/** What a target gets. */
export function targetWords({ type, address, kinds, mayAnswer, retired }: NoticeTarget): string {
  if (retired) return `Retired: ${retired.why}. Remove it, and add it again.`;
  const what = kinds.length === 4 ? 'everything' : kinds.map((kind) => KINDS[kind].toLowerCase()).join(', ');
  return `${type} · ${address} · ${what}${mayAnswer ? ' · may answer' : ''}`;
}
