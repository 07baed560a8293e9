import { messageOf } from '@signalbox/protocol';
import { useCallback, useEffect, useState } from 'react';
import { everyPage, type HubRule, type RuleSuggestion } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

/** The rules of the hub, and what it proposes; `look` reads them again. */
export function useRules(): {
  rules: readonly HubRule[] | undefined;
  proposed: readonly RuleSuggestion[];
  problem: string;
  look: () => Promise<void>;
} {
  const { api } = useHub();
  const [rules, setRules] = useState<readonly HubRule[]>();
  const [proposed, setProposed] = useState<readonly RuleSuggestion[]>([]);
  const [problem, setProblem] = useState('');
  const look = useCallback(async (): Promise<void> => {
    try {
      const all: HubRule[] = [];
      for await (const page of everyPage((query) => api.rules(query))) all.push(...page);
      setRules(all);
      setProposed(await api.suggestRules());
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [api]);
  useEffect(() => {
    void look();
  }, [look]);
  return { rules, proposed, problem, look };
}
