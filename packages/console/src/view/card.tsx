import { type FormEvent, type ReactNode, useState } from 'react';
import { onEscape } from './escape.ts';

/** The frame of what is asked. */
export function Card({
  title,
  where = '',
  problem,
  children,
}: {
  title: string;
  where?: string;
  problem: string;
  children: ReactNode;
}) {
  return (
    <article className="card" aria-label={title}>
      <h2 className="card-title">
        {title} {where !== '' && <code>{where}</code>}
      </h2>
      {children}
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </article>
  );
}

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
