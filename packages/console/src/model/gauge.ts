import type { Budget } from '@signalbox/protocol/hub';

/** How much of something is used. */
export interface Gauge {
  share: number;
  /** From four fifths on it is near its end. */
  state: 'open' | 'near' | 'reached';
}

export function gaugeOf(used: number, most: number): Gauge {
  const share = most > 0 ? Math.min(1, used / most) : 0;
  return { share, state: share >= 1 ? 'reached' : share >= 0.8 ? 'near' : 'open' };
}

/** The budget that is used up first, and how much of it is. */
export function tightestBudget(budgets: readonly Budget[]): (Gauge & { budget: Budget }) | undefined {
  const gauges = budgets.map((budget) => ({ budget, ...gaugeOf(shareOf(budget), 1) }));
  return gauges.toSorted((one, other) => other.share - one.share)[0];
}

function shareOf({ spent, usd, tokens }: Budget): number {
  const shares = [
    ...(usd === null ? [] : [spent.usd / usd]),
    ...(tokens === null ? [] : [spent.tokens / tokens]),
  ];
  return Math.max(0, ...shares);
}
