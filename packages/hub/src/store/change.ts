import type { Effect, ResultsOf } from './commit.ts';

/** Effects that are to be stored with something else, and who hears what became of them. */
export interface Change {
  effects: readonly Effect[];
  /** Called once: with the results of the effects, or with undefined when nothing was stored. */
  settle: (results: readonly unknown[] | undefined) => void;
}

/** A {@link Change} whose results have the types of its effects. */
export function changeOf<const Effects extends readonly Effect[]>(
  effects: Effects,
  settle: (results: ResultsOf<Effects> | undefined) => void = () => {},
): Change {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a store gives a result of its kind for each effect
  return { effects, settle: (results) => settle(results as ResultsOf<Effects> | undefined) };
}

/** Several changes as one. */
export function joinChanges(changes: readonly Change[]): Change {
  return {
    effects: changes.flatMap(({ effects }) => effects),
    settle: (results) => {
      let at = 0;
      for (const { effects, settle } of changes) {
        settle(results?.slice(at, at + effects.length));
        at += effects.length;
      }
    },
  };
}
