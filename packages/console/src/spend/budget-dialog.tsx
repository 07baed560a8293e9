import { useState } from 'react';
import type { Budget } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { amountOf } from './amounts.ts';
import { whoseWords } from './whose-words.ts';

/** A new budget, or another amount for one. */
export function BudgetDialog({
  of,
  onDone,
  onClose,
}: {
  of: Budget | 'new';
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { api } = useHub();
  const known = of === 'new' ? undefined : of;
  const [per, setPer] = useState<Budget['per']>('day');
  const keep = async (form: FormData): Promise<void> => {
    const [usd, tokens] = [amountOf(wordIn(form, 'usd')), amountOf(wordIn(form, 'tokens'))];
    if (usd === null || tokens === null)
      throw new Error('An amount is a number of more than 0, such as 5, 0.50 or 500k.');
    if (usd === undefined && tokens === undefined) throw new Error('Say how much: dollars, tokens or both.');
    if (known) await api.changeBudget(known.id, { usd: usd ?? null, tokens: tokens ?? null });
    else {
      const folder = wordIn(form, 'folder');
      await api.addBudget({
        per,
        ...(usd === undefined ? {} : { usd }),
        ...(tokens === undefined ? {} : { tokens }),
        ...(folder === '' ? {} : { folder }),
      });
    }
    await onDone();
  };
  return (
    <FormDialog
      title={known ? 'Change this budget' : 'New budget'}
      action={known ? ['Change', 'Changing …'] : ['Add', 'Adding …']}
      startAt="usd"
      onSubmit={keep}
      onClose={onClose}
    >
      <p className="faint">
        {known
          ? `For ${whoseWords(known)}. Prompts that waited for it go on when there is room again.`
          : 'When it is used up, a turn is stopped after its reply, and prompts wait.'}
      </p>
      <label className="budget-field">
        Dollars
        <input
          className="field"
          name="usd"
          inputMode="decimal"
          defaultValue={known?.usd ?? ''}
          placeholder="5.00"
        />
      </label>
      <label className="budget-field">
        Tokens
        <input className="field" name="tokens" defaultValue={known?.tokens ?? ''} placeholder="500k" />
      </label>
      {!known && (
        <>
          <label className="budget-field">
            For
            <select
              className="field"
              value={per}
              onChange={({ target }) => setPer(target.value === 'total' ? 'total' : 'day')}
            >
              <option value="day">each day</option>
              <option value="total">all time</option>
            </select>
          </label>
          <label className="budget-field">
            Only in the folder (optional)
            <input
              className="field"
              name="folder"
              placeholder="~/project"
              autoCapitalize="off"
              spellCheck={false}
            />
          </label>
        </>
      )}
    </FormDialog>
  );
}
