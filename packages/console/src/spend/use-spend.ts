import { messageOf } from '@signalbox/protocol';
import { useCallback, useEffect, useState } from 'react';
import type { Budget, SpendGroup, SpendReport } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

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
  const [byDay, setByDay] = useState<SpendReport>();
  const [report, setReport] = useState<SpendReport>();
  const [budgets, setBudgets] = useState<readonly Budget[]>([]);
  const [problem, setProblem] = useState('');
  const look = useCallback(async (): Promise<void> => {
    try {
      const since = Date.now() - (days - 1) * DAY_MS;
      setByDay(await api.spend({ by: 'day', since }));
      setReport(await api.spend({ by, since }));
      setBudgets(await api.budgets());
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [api, by, days]);
  useEffect(() => {
    void look();
  }, [look]);
  return { byDay, report, budgets, problem, look };
}
