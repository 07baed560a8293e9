import { useEffect, useState } from 'react';
import type { PermissionRequest, RuleSuggestion } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayRule } from '../shell/scope.ts';

/** The rule of the hub that would answer a request, for whoever may keep one. */
export function useHubRule({ session, requestId }: PermissionRequest): RuleSuggestion | undefined {
  const { api } = useHub();
  const mayRule = useMayRule();
  const [rule, setRule] = useState<RuleSuggestion>();
  useEffect(() => {
    let isOver = false;
    if (!mayRule) return undefined;
    api.suggestRules({ session, request: requestId }).then(
      ([first]) => {
        if (!isOver) setRule(first);
      },
      // Without an offer the card is what it was.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, mayRule, session, requestId]);
  return rule;
}
