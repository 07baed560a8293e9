import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CloseIcon, DownIcon, UpIcon } from '../parts/icons.tsx';
import { type Found, useSearch } from '../search/use-search.ts';
import { goInstead, hashOf, pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { useFoundWords } from './found-words.ts';

/** Finds words in all of a session, also in what the page does not hold; begins with the newest place. */
export function FindBar({ session, onClose }: { session: string; onClose: () => void }) {
  const [words, setWords] = useState('');
  const { found, showMore } = useSearch(words, { session });
  const [place, setPlace] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const { items, sought } = found;
  useFoundWords(sought);

  const goTo = (index: number): void => {
    const hit = items[index];
    if (!hit) return;
    setPlace(index);
    goInstead(`${pathOf(session)}${hashOf(hit.seq)}`);
    // The places before those that are known are asked for in time.
    if (index >= items.length - 2) showMore?.();
  };

  useEffect(() => field.current?.focus(), []);
  // What was found for other words is shown at its newest place.
  useEffect(() => {
    if (sought !== '') goTo(0);
  }, [sought]);

  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') goTo(event.shiftKey ? place - 1 : place + 1);
    else if (event.key === 'Escape') onClose();
    else return;
    // Esc would interrupt the turn.
    event.preventDefault();
  };
  return (
    <search className="find-bar">
      <input
        ref={field}
        className="field"
        aria-label={t.transcript.find}
        placeholder={t.transcript.find}
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={onKey}
      />
      <span className="faint small" role="status">
        {countWords(found, place)}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t.transcript.before}
        title={t.transcript.beforeTitle}
        disabled={place >= items.length - 1}
        onClick={() => goTo(place + 1)}
      >
        <UpIcon />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t.transcript.after}
        title={t.transcript.afterTitle}
        disabled={place === 0}
        onClick={() => goTo(place - 1)}
      >
        <DownIcon />
      </button>
      <button type="button" className="icon-button" aria-label={t.common.close} onClick={onClose}>
        <CloseIcon />
      </button>
    </search>
  );
}

function countWords({ sought, items, next, problem }: Found, place: number): string {
  if (problem !== '') return problem;
  if (sought === '') return '';
  if (items.length === 0) return t.transcript.notFound;
  return t.transcript.place(place + 1, `${items.length}${next === undefined ? '' : '+'}`);
}
