import { useState } from 'react';
import type { Budget } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { fixed } from '../words/format.ts';
import { t } from '../words/t.ts';
import { amountOf, typedAmount } from './amounts.ts';
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
    if (usd === null || tokens === null) throw new Error(t.spend.noAmount);
    if (usd === undefined && tokens === undefined) throw new Error(t.spend.sayHowMuch);
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
      title={known ? t.spend.changeBudget : t.spend.newBudget}
      action={known ? [t.common.change, t.common.changing] : [t.common.add, t.common.adding]}
      startAt="usd"
      onSubmit={keep}
      onClose={onClose}
    >
      <p className="faint">{known ? t.spend.changeAbout(whoseWords(known)) : t.spend.budgetAbout}</p>
      <label className="budget-field">
        {t.spend.dollars}
        <input
          className="field"
          name="usd"
          inputMode="decimal"
          defaultValue={typedAmount(known?.usd)}
          placeholder={fixed(5, 2)}
        />
      </label>
      <label className="budget-field">
        {t.spend.tokens}
        <input className="field" name="tokens" defaultValue={typedAmount(known?.tokens)} placeholder="500k" />
      </label>
      {!known && (
        <>
          <label className="budget-field">
            {t.spend.for}
            <select
              className="field"
              value={per}
              onChange={({ target }) => setPer(target.value === 'total' ? 'total' : 'day')}
            >
              <option value="day">{t.spend.eachDay}</option>
              <option value="total">{t.spend.allTime}</option>
            </select>
          </label>
          <label className="budget-field">
            {t.common.onlyInFolder}
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
