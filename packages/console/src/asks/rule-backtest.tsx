import type { RuleSuggestion } from 'signalbox/hub';
import { BacktestView } from '../rules/backtest-view.tsx';
import { useBacktest } from '../rules/use-backtest.ts';

/** What a rule would have done to all that was asked so far, before somebody keeps it. */
export default function RuleBacktest({
  suggestion: { rule, behavior, folder },
}: {
  suggestion: RuleSuggestion;
}) {
  return <BacktestView look={useBacktest({ rule, behavior, ...(folder === null ? {} : { folder }) })} />;
}
