import {
  branchSigns,
  branchWords,
  byteWords,
  endingWords,
  exitWords,
  faultWords,
  partsWords,
  removingWords,
  stateWords,
} from '@signalbox/protocol';
import type { Backtest, RuleSuggestion } from '@signalbox/protocol/hub';
import { LOOP_STATE_WORDS, loopWords } from '@signalbox/protocol/loop';

/** What the command line says as well, which is always in English. */
export const states = {
  session: stateWords,
  branch: branchWords,
  branchSigns,
  ending: endingWords,
  removing: removingWords,
  exit: exitWords,
  loop: loopWords,
  loopStates: LOOP_STATE_WORDS,
  suggestion: partsWords,
  fault: faultWords,
  bytes: byteWords,
  /** What a rule would have done. */
  backtest: ({ words }: Pick<Backtest, 'words' | 'behavior' | 'all' | 'matched'>): string => words,
  /** Why a rule is proposed. */
  proposal: ({
    words,
  }: Pick<RuleSuggestion, 'words' | 'behavior' | 'allowed' | 'denied' | 'sessions'>): string => words,
  /** Why an agent cannot be started: one that Signalbox knows itself, or one that this program runs. */
  missingAgent: (_name: string, _program: string | undefined, why: string): string => why,
};
