import { useCallback } from 'react';
import { everyPage, type HubRule, type RuleSuggestion } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useReading } from '../shell/use-reading.ts';

/** The rules of the hub, and what it proposes; `look` reads them again. */
export function useRules(): {
  rules: readonly HubRule[] | undefined;
  proposed: readonly RuleSuggestion[];
  problem: string;
  look: () => Promise<void>;
} {
  const { api } = useHub();
  const read = useCallback(async () => {
    const rules: HubRule[] = [];
    for await (const page of everyPage((query) => api.rules(query))) rules.push(...page);
    return { rules, proposed: await api.suggestRules() };
  }, [api]);
  const { value, problem, look } = useReading(read);
  return { rules: value?.rules, proposed: value?.proposed ?? [], problem, look };
}
