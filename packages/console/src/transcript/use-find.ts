import { useCallback, useEffect, useState } from 'react';
import { useCommands } from '../palette/commands.ts';
import { t } from '../words/t.ts';

/** Whether somebody looks for words in the session: Ctrl+F or ⌘F, which is the browser's own once the field has the focus. */
export function useFind(isOnScreen: boolean): { isFinding: boolean; stopFinding: () => void } {
  const [isFinding, setFinding] = useState(false);
  const stopFinding = useCallback(() => setFinding(false), []);
  useCommands(
    isOnScreen
      ? [
          {
            title: t.transcript.find,
            words: 'search',
            group: 'session',
            keys: 'Ctrl+F',
            run: () => setFinding(true),
          },
        ]
      : [],
  );
  useEffect(() => {
    if (!isOnScreen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (key.toLowerCase() !== 'f' || ctrlKey === metaKey || altKey || shiftKey) return;
      if (document.querySelector('dialog:modal')) return;
      const field = document.querySelector<HTMLInputElement>('.find-bar input');
      if (field !== null && target === field) return;
      event.preventDefault();
      field?.focus();
      setFinding(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOnScreen]);
  return { isFinding: isFinding && isOnScreen, stopFinding };
}
