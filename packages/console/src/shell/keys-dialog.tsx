import { useEffect, useId, useRef, useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { CloseIcon } from '../parts/icons.tsx';

/** Every key of the page, by where it works. */
const KEYS: readonly [where: string, keys: readonly (readonly [keys: string, does: string])[]][] = [
  [
    'Everywhere',
    [
      ['Ctrl+K', 'do anything, find a session, or search in everything said'],
      ['?', 'this list'],
    ],
  ],
  [
    'On the board',
    [
      ['/', 'find a session; Enter opens the first'],
      ['↑ ↓', 'from agent to agent; Enter opens'],
    ],
  ],
  [
    'In the box',
    [
      ['Enter', 'send; while a turn runs, the prompt waits'],
      ['Ctrl+Enter', 'send into the turn that runs'],
      ['Shift+Enter', 'a new line'],
      ['/', 'the commands of the agent'],
      ['@', 'the files of the folder'],
      ['↑ ↓', 'in an empty box: what was said before'],
      ['Esc', 'interrupt the turn'],
    ],
  ],
  [
    'On a question',
    [
      ['A', 'allow, or read on to its end'],
      ['L', 'allow always, with what it keeps'],
      ['D', 'deny, with a reason'],
      ['E', 'edit it before it is allowed'],
      ['U', 'take the answer back, where answers wait for a moment'],
      ['← →', 'the other questions'],
    ],
  ],
  [
    'In the transcript',
    [
      ['Ctrl+F', 'find words in all of the session; again, in the page'],
      ['Home', 'the very start'],
      ['End', 'the end, and follow what comes'],
    ],
  ],
];

/** The map of the keys; `?` brings it, wherever no letters are written. */
export function KeysDialog() {
  const [isOpen, setOpen] = useState(false);
  useCommands([
    {
      title: 'Keys',
      words: 'keyboard shortcuts help',
      group: 'This page',
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
        <h2 id={heading}>Keys</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </header>
      {KEYS.map(([where, keys]) => (
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
