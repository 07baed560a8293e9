import { type JsonObject, suggestionWords } from '@signalbox/protocol';
import { lazy, type RefObject, Suspense } from 'react';
import type { RuleSuggestion } from 'signalbox/hub';
import { whereWords } from '../rules/rule-words.ts';

/** Loaded when somebody first takes a rule. */
const RuleBacktest = lazy(() => import('./rule-backtest.tsx'));

/** What an agent offers to keep when a call is allowed always: each by itself, to be taken or left out. */
export function SuggestionList({
  suggestions,
  left,
  taken,
  end,
  onTaken,
  hubRule,
  isHubRuleTaken,
  onHubRule,
}: {
  suggestions: readonly JsonObject[];
  /** How many more there are, which nobody could look at. */
  left: number;
  taken: readonly JsonObject[];
  /** Where the list ends. */
  end: RefObject<HTMLDivElement | null>;
  onTaken: (taken: readonly JsonObject[]) => void;
  /** What the hub itself would keep, for this agent and others. */
  hubRule: RuleSuggestion | undefined;
  isHubRuleTaken: boolean;
  onHubRule: (isTaken: boolean) => void;
}) {
  return (
    <>
      {(suggestions.length > 0 || hubRule) && (
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
          {hubRule && (
            <label className="option hub-rule">
              <input
                type="checkbox"
                checked={isHubRuleTaken}
                onChange={({ target }) => onHubRule(target.checked)}
              />
              <span>
                keep the rule <code>{hubRule.rule}</code> in this hub
                {suggestions.length > 0 && ' instead'},{' '}
                {hubRule.session === null ? `for every agent ${whereWords(hubRule)}` : 'for this session'}
              </span>
            </label>
          )}
          {hubRule && isHubRuleTaken && (
            <Suspense>
              <RuleBacktest suggestion={hubRule} />
            </Suspense>
          )}
        </fieldset>
      )}
      {/* Always the same one: what the hub offers may come later than the card. */}
      <div ref={end} className="card-end" />
    </>
  );
}

/** What is taken unless somebody says otherwise: a change of mode settles more than this call, and is left out beside others. */
export function takenAtFirst(suggestions: readonly JsonObject[]): readonly JsonObject[] {
  const narrow = suggestions.filter(({ type }) => type !== 'setMode');
  return narrow.length > 0 ? narrow : suggestions;
}
