import { useEffect, useState } from 'react';
import type { Backtest, NewRule } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

/** Somebody who still types is not told yet. */
const TYPING_MS = 400;

/** What a rule would have done, as it is being written. */
export type RuleLook =
  | { state: 'none' | 'looking' }
  | { state: 'known'; test: Backtest }
  | { state: 'refused'; problem: string };

export function useBacktest({ rule, behavior, folder }: NewRule): RuleLook {
  const { api } = useHub();
  const [look, setLook] = useState<RuleLook>({ state: 'none' });
  useEffect(() => {
    let isOver = false;
    const tell = (next: RuleLook): void => {
      if (!isOver) setLook(next);
    };
    if (rule === '') {
      setLook({ state: 'none' });
      return undefined;
    }
    setLook({ state: 'looking' });
    const timer = setTimeout(() => {
      api.testRule({ rule, behavior, ...(folder === undefined ? {} : { folder }) }).then(
        (test) => tell({ state: 'known', test }),
        (error: unknown) => tell({ state: 'refused', problem: problemWords(error) }),
      );
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, rule, behavior, folder]);
  return look;
}
