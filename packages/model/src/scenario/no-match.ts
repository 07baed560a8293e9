import type { Conversation } from '../api/conversation.ts';
import { matchWhen, quote } from './match.ts';
import type { Turn } from './schema.ts';

const NEAREST_SHOWN = 3;

/** Where a turn stands: `spent`, `next` to be tried, or `later` in a strict order. */
export interface TurnStanding {
  readonly turn: Turn;
  readonly label: string;
  readonly standing: 'spent' | 'next' | 'later';
}

const WHY = { spent: 'it is used up', next: '', later: 'its time has not come' } as const;

/** Says why no turn of a scenario answers, with the turns that came nearest. */
export function explainNoMatch(
  name: string,
  turns: readonly TurnStanding[],
  conversation: Conversation,
): string {
  const nearest = turns
    .map(({ turn, label, standing }) => {
      const match = matchWhen(turn.when, conversation);
      const misses = match.matched ? [] : match.misses;
      const why = [...misses, WHY[standing]].filter(Boolean).join(', ');
      const closeness = match.matched ? 1 : match.held / (match.held + misses.length);
      return { text: `${label} (${why})`, closeness };
    })
    .toSorted((a, b) => b.closeness - a.closeness)
    .slice(0, NEAREST_SHOWN)
    .map(({ text }) => text);
  const results = conversation.toolResults.map((result) => result.tool || 'an unknown tool');
  return [
    `Scenario ${quote(name)} has no turn for this request.`,
    `Last user text: ${quote(conversation.lastUserText)}.`,
    ...(results.length > 0 ? [`Results of: ${results.join(', ')}.`] : []),
    nearest.length > 0 ? `Nearest turns: ${nearest.join('; ')}.` : 'It has no turns.',
  ].join(' ');
}
