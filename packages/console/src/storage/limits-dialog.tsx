import type { RetentionLimits } from 'signalbox/hub';
import { FormDialog, wordIn } from '../parts/form-dialog.tsx';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { KEPT } from './kept.ts';

const ROOM = 'databaseMiB';

/** For how long things are kept, and how much of them. */
export function LimitsDialog({
  limits,
  onDone,
  onClose,
}: {
  limits: RetentionLimits;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { api } = useHub();
  const keep = async (form: FormData): Promise<void> => {
    const names = [...KEPT.map(([name]) => name), ROOM] as const;
    const retention = Object.fromEntries(names.map((name) => [name, numberOf(wordIn(form, name))]));
    await api.ask('PATCH /api/storage', { body: { retention } });
    await onDone();
  };
  return (
    <FormDialog
      title={t.storage.changeKept}
      action={[t.storage.keepSo, t.common.changing]}
      startAt="eventDays"
      onSubmit={keep}
      onClose={onClose}
    >
      <p className="faint">{t.storage.limitsAbout(limits.archive !== false)}</p>
      {KEPT.map(([name, what]) => (
        <NumberField key={name} name={name} what={what} value={limits[name]} />
      ))}
      <NumberField name={ROOM} what={t.storage.databaseLimit} value={limits[ROOM]} />
    </FormDialog>
  );
}

function NumberField({ name, what, value }: { name: string; what: string; value: number | undefined }) {
  return (
    <label className="budget-field">
      {what}
      <input className="field" name={name} inputMode="numeric" defaultValue={value ?? ''} />
    </label>
  );
}

/** Null for nothing. */
function numberOf(word: string): number | null {
  if (word === '') return null;
  if (!/^[1-9]\d{0,8}$/.test(word)) throw new Error(t.storage.noLimit);
  return Number(word);
}
