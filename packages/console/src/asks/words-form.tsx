import { type FormEvent, useState } from 'react';
import { onEscape } from '../parts/escape.ts';

/** A no, with words. */
export function WordsForm({
  label,
  action,
  isLocked,
  onSay,
  onBack,
}: {
  label: string;
  action: string;
  isLocked: boolean;
  onSay: (words: string) => void;
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
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onEscape(onBack)}
        />
      </label>
      <div className="buttons">
        <button type="submit" className="button danger" disabled={isLocked}>
          {action}
        </button>
        <button type="button" className="button quiet" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}
