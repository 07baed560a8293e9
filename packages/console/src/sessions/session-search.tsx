import { type RefObject, useLayoutEffect } from 'react';
import { onEscape } from '../parts/escape.ts';
import { CloseIcon, SearchIcon } from '../parts/icons.tsx';

/** Above the list, to find one of many. Ctrl+K or ⌘K leads here from anywhere on the page. */
export function SessionSearch({
  field,
  words,
  onWords,
  onEnter,
  onCalled,
}: {
  field: RefObject<HTMLInputElement | null>;
  words: string;
  onWords: (words: string) => void;
  /** Enter: take the first that was found. */
  onEnter: () => void;
  /** The key was pressed: on a phone the list is out of sight. Where it is in sight, it takes the focus. */
  onCalled?: () => void;
}) {
  // With the field itself: a key that is pressed as soon as that is seen must not be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      // A dialog has the page to itself.
      if (document.querySelector('dialog:modal')) return;
      event.preventDefault();
      if (onCalled) onCalled();
      else field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onCalled, field]);
  const leave = onEscape(() => (words === '' ? field.current?.blur() : onWords('')));
  return (
    <div className="search" role="search">
      <SearchIcon />
      <input
        ref={field}
        className="field"
        aria-label="Find a session"
        placeholder="Find a session"
        title="Title, folder, last prompt, agent or state (Ctrl+K)"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter();
          leave(event);
        }}
      />
      {words !== '' && (
        <button
          type="button"
          className="icon-button"
          aria-label="Show all sessions"
          onClick={() => {
            onWords('');
            field.current?.focus();
          }}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
}
