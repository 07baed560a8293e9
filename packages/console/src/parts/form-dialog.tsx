import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { problemWords } from '../model/problem-words.ts';
import { t } from '../words/t.ts';
import { CloseIcon } from './icons.tsx';

/** Something to decide in front of the page. It closes when it is done, and says why it could not be. */
export function FormDialog({
  title,
  action,
  tone = 'primary',
  isReady = true,
  startAt,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  /** What the button says, and what it says while that is done. */
  action: readonly [string, string];
  tone?: 'primary' | 'danger';
  isReady?: boolean;
  /** The field that somebody fills in first; without one it is a question, and begins at the harmless answer. */
  startAt?: string;
  onSubmit: (form: FormData) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const heading = useId();
  const [state, setState] = useState<'open' | 'working'>('open');
  const [problem, setProblem] = useState('');
  const [name, working] = action;

  useEffect(() => {
    dialog.current?.showModal();
    const field = startAt === undefined ? null : form.current?.elements.namedItem(startAt);
    (field instanceof HTMLElement ? field : cancel.current)?.focus();
  }, []);

  // One that is taken away without being closed does not give the focus back.
  const close = (): void => dialog.current?.close();

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setState('working');
    setProblem('');
    onSubmit(new FormData(event.currentTarget)).then(close, (error: unknown) => {
      setProblem(problemWords(error));
      setState('open');
    });
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t.common.close} onClick={close}>
            <CloseIcon />
          </button>
        </header>
        {children}
        {problem !== '' && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <div className="buttons">
          <button type="submit" className={`button ${tone}`} disabled={state === 'working' || !isReady}>
            {state === 'working' ? working : name}
          </button>
          <button ref={cancel} type="button" className="button quiet" onClick={close}>
            {t.common.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** What somebody filled in under a name, without the space around it. */
export function wordIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
