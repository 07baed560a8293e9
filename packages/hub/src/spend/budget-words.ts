import type { Budget } from '@signalbox/protocol/hub';
import type { StoredBudget } from '../store/budget.ts';

/** Which budget it is. */
export function budgetWords({ session, folder, per, usd, tokens }: StoredBudget): string {
  const amounts = [usd === null ? [] : dollars(usd), tokens === null ? [] : tokenWords(tokens)].flat();
  const whose = session !== null ? 'this session' : folder !== null ? `the folder ${folder}` : 'this hub';
  return `the budget of ${whose}, ${amounts.join(' and ')}${per === 'day' ? ' a day' : ' in total'}`;
}

/** How a budget stands, and how to go on. */
export function standingWords(budget: Budget): string {
  const { state, id, per } = budget;
  const spent = spentWords(budget);
  if (state !== 'reached') return `${spent} Turns are stopped when it is used up.`;
  const later = per === 'day' ? ', wait for the next day' : '';
  const short = id.slice(0, 8);
  return `${spent} Prompts wait. To go on, raise it (signalbox budgets raise ${short}), allow one more turn (signalbox budgets allow)${later}, or remove it.`;
}

/** What is spent of a budget. */
export function spentWords(budget: Budget): string {
  const { spent, usd, tokens } = budget;
  const parts = [
    usd === null ? [] : `${dollars(spent.usd)} of ${dollars(usd)}`,
    tokens === null ? [] : `${spent.tokens.toLocaleString('en-US')} of ${tokenWords(tokens)}`,
  ].flat();
  const name = budgetWords(budget);
  return `${name[0]?.toUpperCase()}${name.slice(1)}: ${parts.join(' and ')} spent.`;
}

/** Small sums are said to a hundredth of a cent: a budget may be of cents. */
function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

function tokenWords(tokens: number): string {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en-US')} tokens`;
}
