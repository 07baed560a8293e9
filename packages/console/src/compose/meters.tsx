import { isJsonObject, listAt, numberAt, textAt } from '@signalbox/protocol';
import { useEffect, useId, useState } from 'react';
import type { Budget, Session, SessionState } from 'signalbox/hub';
import type { AgentFacts } from '../model/agent-facts.ts';
import { type Gauge, gaugeOf, tightestBudget } from '../model/gauge.ts';
import { problemWords } from '../model/problem-words.ts';
import { isScripted } from '../model/scripted.ts';
import { useHub } from '../shell/hub-context.ts';
import { go, SPEND } from '../shell/route.ts';
import { useMayDrive } from '../shell/scope.ts';
import { dollars, tokens } from '../spend/amounts.ts';
import { t } from '../words/t.ts';

/** How full the conversation is, and with what for those who open it. */
export function ContextMeter({ session, facts }: { session: Session; facts: AgentFacts }) {
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  const id = useId();
  const [parts, setParts] = useState<readonly [name: string, tokens: number][]>();
  const [problem, setProblem] = useState('');
  const { contextTokens: used, contextWindow: most } = facts;
  if (used === undefined) return null;
  const gauge = most === undefined ? undefined : gaugeOf(used, most);
  const percent = gauge && `${Math.round(gauge.share * 100)} %`;
  const words = percent
    ? t.compose.contextFull(percent, tokens(used), tokens(most ?? 0))
    : t.compose.contextTokens(tokens(used));
  const look = (): void => {
    setProblem('');
    stream.control(session.id, { subtype: 'get_context_usage' }).then(
      (answer) => setParts(categoriesIn(answer)),
      (error: unknown) => setProblem(problemWords(error)),
    );
  };
  return (
    <>
      <button
        type="button"
        className="status-button context-meter"
        popoverTarget={id}
        aria-label={words}
        title={words}
      >
        <Bar gauge={gauge} /> {percent ?? tokens(used)}
      </button>
      <div
        id={id}
        popover="auto"
        className="menu meter-more"
        role="group"
        aria-label={t.compose.context}
        onToggle={({ newState }) => newState === 'open' && mayDrive && look()}
      >
        <p>{words}</p>
        {gauge && gauge.state !== 'open' && <p className="faint small">{t.compose.compact}</p>}
        {problem !== '' && <p className="faint small">{t.compose.contextUnknown(problem)}</p>}
        {parts && (
          <dl>
            {parts.map(([name, count]) => (
              <div key={name}>
                <dt dir="auto">{name}</dt>
                <dd>{tokens(count)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </>
  );
}

/** How much of the budget is spent that is used up first; nothing where none counts here. */
export function BudgetMeter({ session, activity }: { session: Session; activity: SessionState }) {
  const { api } = useHub();
  const [budgets, setBudgets] = useState<readonly Budget[]>([]);
  const isFree = isScripted(session);
  // What a turn cost is known at its end.
  const moment = `${activity === 'active'} ${session.budget?.state ?? ''}`;
  useEffect(() => {
    let isOver = false;
    if (!isFree)
      api.budgets({ session: session.id }).then(
        (items) => {
          if (!isOver) setBudgets(items);
        },
        // Without it the notice still says when a budget is reached.
        () => {},
      );
    return () => {
      isOver = true;
    };
  }, [api, session.id, isFree, moment]);
  const tightest = tightestBudget(budgets);
  if (!tightest) return null;
  const { budget } = tightest;
  const amounts =
    budget.usd === null
      ? t.common.partOfTokens(tokens(budget.spent.tokens), tokens(budget.tokens ?? 0))
      : t.common.partOf(dollars(budget.spent.usd), dollars(budget.usd));
  const words = budget.per === 'day' ? t.compose.budgetToday(amounts) : t.compose.budget(amounts);
  return (
    <button
      type="button"
      className="status-button budget-meter"
      data-state={tightest.state}
      aria-label={words}
      title={words}
      onClick={() => go(SPEND)}
    >
      <Bar gauge={tightest} /> {budget.usd === null ? tokens(budget.spent.tokens) : dollars(budget.spent.usd)}
    </button>
  );
}

function Bar({ gauge }: { gauge: Gauge | undefined }) {
  if (!gauge) return null;
  return (
    <meter className="bar" aria-hidden="true" min={0} max={1} value={gauge.share} data-state={gauge.state} />
  );
}

function categoriesIn(answer: unknown): [string, number][] {
  return listAt(answer, 'categories')
    .filter(isJsonObject)
    .map((one): [string, number] => [textAt(one, 'name'), numberAt(one, 'tokens') ?? 0])
    .filter(([name, count]) => name !== '' && count > 0);
}
