import { useState } from 'react';
import type { Budget } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayRule } from '../shell/scope.ts';
import { t } from '../words/t.ts';
import { dollars, tokens } from './amounts.ts';
import { BudgetDialog } from './budget-dialog.tsx';
import { whoseWords } from './whose-words.ts';

/** The budgets of the hub, each with how much of it is spent. */
export function BudgetList({
  budgets,
  onChange,
}: {
  budgets: readonly Budget[];
  onChange: () => Promise<void>;
}) {
  const mayChange = useMayRule();
  const [open, setOpen] = useState<Budget | 'new'>();
  return (
    <>
      <h2 className="board-title">
        {t.spend.budgets} <span className="faint">{budgets.length || ''}</span>
      </h2>
      {budgets.length === 0 && <p className="faint">{t.spend.noBudgets}</p>}
      {budgets.length > 0 && (
        <ul className="board-rows rule-rows" aria-label={t.spend.budgets}>
          {budgets.map((budget) => (
            <BudgetRow
              key={budget.id}
              budget={budget}
              onEdit={mayChange ? () => setOpen(budget) : undefined}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
      {mayChange && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setOpen('new')}>
            {t.spend.newBudgetAsk}
          </button>
        </div>
      )}
      {open && <BudgetDialog of={open} onDone={onChange} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function BudgetRow({
  budget,
  onEdit,
  onChange,
}: {
  budget: Budget;
  onEdit: (() => void) | undefined;
  onChange: () => Promise<void>;
}) {
  const { api } = useHub();
  const remove = (): void => {
    // Whatever came of it, the list says how things are.
    void api.removeBudget(budget.id).then(onChange, onChange);
  };
  return (
    <li className="budget-row" data-state={budget.state}>
      <span className="budget-name">{whoseWords(budget)}</span>
      <span className="faint budget-spent">
        {spentWords(budget)}
        {budget.state === 'reached'
          ? ` · ${t.spend.usedUp}`
          : budget.state === 'near'
            ? ` · ${t.spend.near}`
            : ''}
      </span>
      <meter
        aria-label={t.spend.spentOf(whoseWords(budget))}
        min={0}
        max={1}
        value={Math.min(1, shareOf(budget))}
        high={0.8}
        optimum={0}
      />
      {onEdit && (
        <span className="budget-acts">
          <button type="button" className="button quiet" onClick={onEdit}>
            {t.common.changeAsk}
          </button>
          <button type="button" className="button quiet" onClick={remove}>
            {t.common.remove}
          </button>
        </span>
      )}
    </li>
  );
}

function spentWords({ usd, tokens: most, spent }: Budget): string {
  return [
    usd === null ? [] : t.common.partOf(dollars(spent.usd), dollars(usd)),
    most === null ? [] : t.common.partOfTokens(tokens(spent.tokens), tokens(most)),
  ]
    .flat()
    .join(', ');
}

function shareOf({ usd, tokens: most, spent }: Budget): number {
  return Math.max(usd === null ? 0 : spent.usd / usd, most === null ? 0 : spent.tokens / most);
}
