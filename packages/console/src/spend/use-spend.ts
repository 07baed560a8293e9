import { useCallback } from 'react';
import type { Budget, SpendGroup, SpendReport } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useReading } from '../shell/use-reading.ts';

const DAY_MS = 86_400_000;

/** What was spent in the last days, and the budgets; `look` reads them again. */
export function useSpend(
  by: SpendGroup,
  days: number,
): {
  byDay: SpendReport | undefined;
  report: SpendReport | undefined;
  budgets: readonly Budget[];
  problem: string;
  look: () => Promise<void>;
} {
  const { api } = useHub();
  const read = useCallback(async () => {
    const since = Date.now() - (days - 1) * DAY_MS;
    const [byDay, report, budgets] = await Promise.all([
      api.spend({ by: 'day', since }),
      api.spend({ by, since }),
      api.budgets(),
    ]);
    return { byDay, report, budgets };
  }, [api, by, days]);
  const { value, problem, look } = useReading(read);
  return { byDay: value?.byDay, report: value?.report, budgets: value?.budgets ?? [], problem, look };
}
