import { inOneLine } from '../cell-text.ts';
import { fittedTable } from '../text-table.ts';
import type { SaidPrompt } from './prompts-of.ts';

const SHAPE = {
  columns: ['BEFORE', 'PROMPT'],
  leftOut: [],
  cut: { column: 'PROMPT', least: 16, most: 100 },
} as const;

/** Prompts as a table no wider than `room`, in their order. */
export function promptTable(prompts: readonly SaidPrompt[], room: number): string {
  const rows = prompts.map(({ seq, text }) => ({ BEFORE: String(seq), PROMPT: inOneLine(text) }));
  return fittedTable(SHAPE, rows, room);
}
