import { useEffect, useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { DialogFrame } from '../parts/dialog-frame.tsx';
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
  return (
    <DialogFrame title={t.shell.keys} className="keys-map" onClose={onClose}>
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
    </DialogFrame>
  );
}
