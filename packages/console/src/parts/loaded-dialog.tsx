import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { t } from '../words/t.ts';
import { CloseIcon } from './icons.tsx';
import { PartBoundary } from './part-boundary.tsx';

/** A dialog whose code is loaded when it is first opened. Where that fails, a dialog says so. */
export function LoadedDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <PartBoundary
      name={t.parts.names.dialog}
      frame={(failure) => <FailedDialog onClose={onClose}>{failure}</FailedDialog>}
    >
      <Suspense>{children}</Suspense>
    </PartBoundary>
  );
}

function FailedDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-label={t.parts.names.dialog} onClose={onClose}>
      <div className="dialog-close">
        <button
          type="button"
          className="icon-button"
          aria-label={t.common.close}
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </div>
      {children}
    </dialog>
  );
}
