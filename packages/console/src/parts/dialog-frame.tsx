import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { t } from '../words/t.ts';
import { CloseIcon } from './icons.tsx';

/** Something in front of the page with its title and the way out. What is inside may close it by `ref`, which gives the focus back. */
export function DialogFrame({
  title,
  className = '',
  ref,
  onClose,
  children,
}: {
  title: string;
  className?: string;
  ref?: RefObject<HTMLDialogElement | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = ref ?? own;
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={`dialog ${className}`} aria-labelledby={heading} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t.common.close}
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </header>
      {children}
    </dialog>
  );
}
