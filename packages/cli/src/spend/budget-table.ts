import type { Budget } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { shortId } from '../hub/pick-session.ts';
import { fittedTable } from '../text-table.ts';
import { dollars, tokenCount } from './amounts.ts';

const SHAPE = {
  columns: ['ID', 'FOR', 'PER', 'SPENT', 'STATE'],
  leftOut: ['PER', 'STATE'],
  cut: { column: 'FOR', least: 16, most: 60 },
} as const;

/** A table of budgets. */
export function budgetTable(budgets: readonly Budget[], room: number): string {
  return fittedTable(
    SHAPE,
    budgets.map((budget) => ({
      ID: harmless(shortId(budget.id)),
      FOR: whoseWords(budget),
      PER: harmless(budget.per),
      SPENT: spentOf(budget),
      STATE: harmless(budget.state),
    })),
    room,
  );
}

/** A budget in one line. */
export function budgetLine(budget: Budget): string {
  return `${harmless(shortId(budget.id))} ${whoseWords(budget)}, ${harmless(budget.per)}: ${spentOf(budget)} spent`;
}

function whoseWords({ session, folder }: Budget): string {
  if (session !== null) return `session ${harmless(shortId(session))}`;
  return folder === null ? 'the whole hub' : harmless(folder);
}

function spentOf({ usd, tokens, spent }: Budget): string {
  return [
    usd === null ? [] : `${dollars(spent.usd)} of ${dollars(usd)}`,
    tokens === null ? [] : `${tokenCount(spent.tokens)} of ${tokenCount(tokens)} tokens`,
  ]
    .flat()
    .join(', ');
}
