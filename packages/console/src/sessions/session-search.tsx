import type { RefObject } from 'react';
import { onEscape } from '../parts/escape.ts';
import { CloseIcon, SearchIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';

/** Above the list, to find one of many. */
export function SessionSearch({
  field,
  words,
  onWords,
  onEnter,
}: {
  field: RefObject<HTMLInputElement | null>;
  words: string;
  onWords: (words: string) => void;
  /** Enter: take the first that was found. */
  onEnter: () => void;
}) {
  const leave = onEscape(() => (words === '' ? field.current?.blur() : onWords('')));
  return (
    <div className="search" role="search">
      <SearchIcon />
      <input
        ref={field}
        className="field"
        aria-label={t.sessions.find}
        placeholder={t.sessions.find}
        title={t.sessions.findTitle}
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
          aria-label={t.sessions.showAll}
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
