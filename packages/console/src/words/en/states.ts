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
};
