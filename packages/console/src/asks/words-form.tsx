import { type FormEvent, useState } from 'react';
import { onEscape } from '../parts/escape.ts';
import { t } from '../words/t.ts';

/** A no, with words. */
export function WordsForm({
  label,
  action,
  isLocked,
  onSay,
  onStop,
  onBack,
}: {
  label: string;
  action: string;
  isLocked: boolean;
  onSay: (words: string) => void;
  /** Says it, and ends the turn as well. */
  onStop?: (words: string) => void;
  onBack: () => void;
}) {
  const [words, setWords] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSay(words.trim());
  };
  return (
    <form className="words" onSubmit={submit}>
      <label>
        {label}
        <input
          className="field"
          autoFocus
          dir="auto"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onEscape(onBack)}
        />
      </label>
      <div className="buttons">
        <button type="submit" className="button danger" disabled={isLocked}>
          {action}
        </button>
        {onStop && (
          <button
            type="button"
            className="button"
            disabled={isLocked}
            title={t.asks.stopTitle}
            onClick={() => onStop(words.trim())}
          >
            {t.asks.andStop(action)}
          </button>
        )}
        <button type="button" className="button quiet" onClick={onBack}>
          {t.common.back}
        </button>
      </div>
    </form>
  );
}
