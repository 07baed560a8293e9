import { type JsonObject, suggestionWords } from '@signalbox/protocol';
import type { RefObject } from 'react';

/** What an agent offers to keep when a call is allowed always: each by itself, to be taken or left out. */
export function SuggestionList({
  suggestions,
  left,
  taken,
  end,
  onTaken,
}: {
  suggestions: readonly JsonObject[];
  /** How many more there are, which nobody could look at. */
  left: number;
  taken: readonly JsonObject[];
  /** Where the list ends. */
  end: RefObject<HTMLDivElement | null>;
  onTaken: (taken: readonly JsonObject[]) => void;
}) {
  if (suggestions.length === 0) return null;
  return (
    <fieldset className="suggestions">
      <legend>“Allow always” will also</legend>
      {suggestions.map((suggestion, index) => (
        <label key={index} className="option">
          <input
            type="checkbox"
            checked={taken.includes(suggestion)}
            onChange={({ target }) =>
              onTaken(
                suggestions.filter((one) => (one === suggestion ? target.checked : taken.includes(one))),
              )
            }
          />
          <span>{suggestionWords([suggestion])}</span>
        </label>
      ))}
      {left > 0 && <p className="faint">{left} more are not offered here.</p>}
      <div ref={end} className="card-end" />
    </fieldset>
  );
}

/** What is taken unless somebody says otherwise: a change of mode settles more than this call, and is left out beside others. */
export function takenAtFirst(suggestions: readonly JsonObject[]): readonly JsonObject[] {
  const narrow = suggestions.filter(({ type }) => type !== 'setMode');
  return narrow.length > 0 ? narrow : suggestions;
}
