import { inOneLine } from '../cell-text.ts';
import { fittedTable } from '../text-table.ts';
import type { SaidMessage } from './said-messages.ts';

const SHAPE = {
  columns: ['PLACE', 'WORDS'],
  leftOut: [],
  cut: { column: 'WORDS', least: 16, most: 100 },
} as const;

/** Messages as a table no wider than `room`, in their order, with the option that names each place. */
export function messageTable(messages: readonly SaidMessage[], room: number): string {
  const rows = messages.map(({ seq, by, text }) => ({
    PLACE: `${by === 'person' ? '--before' : '--after'} ${seq}`,
    WORDS: inOneLine(text),
  }));
  return fittedTable(SHAPE, rows, room);
}
