import { useEffect, useId, useRef, useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { CloseIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';

/** The map of the keys; `?` brings it, wherever no letters are written. */
export function KeysDialog() {
  const [isOpen, setOpen] = useState(false);
  useCommands([
    {
      title: t.shell.keys,
      words: t.shell.keysWords,
      group: 'page',
      keys: '?',
      run: () => setOpen(true),
    },
  ]);
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      if (key !== '?' || ctrlKey || metaKey || altKey || document.querySelector('dialog:modal')) return;
      if (target instanceof Element && target.closest('input, textarea, select')) return;
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return isOpen ? <KeysMap onClose={() => setOpen(false)} /> : null;
}

function KeysMap({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog keys-map" aria-labelledby={heading} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={heading}>{t.shell.keys}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t.common.close}
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </header>
      {t.shell.keyMap.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </dialog>
  );
}
