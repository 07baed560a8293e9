import { useState } from 'react';
import type { Budget } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayRule } from '../shell/scope.ts';
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
        Budgets <span className="faint">{budgets.length || ''}</span>
      </h2>
      {budgets.length === 0 && <p className="faint">None: agents may spend what they like.</p>}
      {budgets.length > 0 && (
        <ul className="board-rows rule-rows" aria-label="Budgets">
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
            New budget …
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
        {budget.state === 'reached' ? ' · used up' : budget.state === 'near' ? ' · near' : ''}
      </span>
      <meter
        aria-label={`Spent of the budget for ${whoseWords(budget)}`}
        min={0}
        max={1}
        value={Math.min(1, shareOf(budget))}
        high={0.8}
        optimum={0}
      />
      {onEdit && (
        <span className="budget-acts">
          <button type="button" className="button quiet" onClick={onEdit}>
            Change …
          </button>
          <button type="button" className="button quiet" onClick={remove}>
            Remove
          </button>
        </span>
      )}
    </li>
  );
}

function spentWords({ usd, tokens: most, spent }: Budget): string {
  return [
    usd === null ? [] : `${dollars(spent.usd)} of ${dollars(usd)}`,
    most === null ? [] : `${tokens(spent.tokens)} of ${tokens(most)} tokens`,
  ]
    .flat()
    .join(', ');
}

function shareOf({ usd, tokens: most, spent }: Budget): number {
  return Math.max(usd === null ? 0 : spent.usd / usd, most === null ? 0 : spent.tokens / most);
}
