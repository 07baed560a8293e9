import { useState } from 'react';
import type { Session } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { WarningIcon } from '../parts/icons.tsx';
import { useHub } from '../shell/hub-context.ts';
import { go, SPEND } from '../shell/route.ts';
import { useMayRemove } from '../shell/scope.ts';
import { t } from '../words/t.ts';

/** What holds the prompts of a session, and the ways on. */
export function BudgetNotice({ session }: { session: Session }) {
  const { api } = useHub();
  const mayAllow = useMayRemove();
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const { budget } = session;
  if (budget?.state !== 'reached') return null;
  // What is typed on a command line is of no use on a page.
  const [words = ''] = budget.message.split(' To go on, ');
  const allow = (): void => {
    setSending(true);
    api
      .allowTurn(session.id)
      .catch((error: unknown) => setProblem(problemWords(error)))
      .finally(() => setSending(false));
  };
  return (
    <div className="notice budget-notice">
      <WarningIcon />
      <p role="status" dir="auto">
        {problem || t.spend.holds(words)}
      </p>
      {mayAllow && (
        <button type="button" className="button" disabled={isSending} onClick={allow}>
          {t.spend.allowTurn}
        </button>
      )}
      <button type="button" className="button quiet" onClick={() => go(SPEND)}>
        {t.spend.budgets}
      </button>
    </div>
  );
}
