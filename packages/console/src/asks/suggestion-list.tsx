import { type JsonObject, suggestionParts } from '@signalbox/protocol';
import { lazy, type RefObject, Suspense } from 'react';
import type { RuleSuggestion } from 'signalbox/hub';
import { whereWords } from '../rules/rule-words.ts';
import { Sentence } from '../words/sentence.tsx';
import { t } from '../words/t.ts';

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
          <legend>{t.asks.alsoKeeps}</legend>
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
              <span>{t.states.suggestion(suggestionParts(suggestion))}</span>
            </label>
          ))}
          {left > 0 && <p className="faint">{t.asks.moreSuggestions(left)}</p>}
          {hubRule && (
            <label className="option hub-rule">
              <input
                type="checkbox"
                checked={isHubRuleTaken}
                onChange={({ target }) => onHubRule(target.checked)}
              />
              <span>
                <Sentence
                  of={t.asks.keepRule(
                    <code>{hubRule.rule}</code>,
                    suggestions.length > 0,
                    hubRule.session === null ? t.asks.everyAgent(whereWords(hubRule)) : t.asks.thisSession,
                  )}
                />
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
