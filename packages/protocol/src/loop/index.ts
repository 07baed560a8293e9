// Running an agent again and again until a condition comes: what decides, without doing any of it.

export { groupByLoop, type LoopGroup } from './group-by-loop.ts';
export { iterationTitle } from './iteration-title.ts';
export {
  DEFAULT_ITERATIONS,
  DEFAULT_UNTIL_SECONDS,
  type FolderChanges,
  type FolderState,
  LOOP_ACTIONS,
  LOOP_ENDS,
  LOOP_STATES,
  LOOP_STEPS,
  type LoopAct,
  type LoopCheck,
  type LoopEnd,
  type LoopIteration,
  type LoopProgress,
  type LoopReason,
  type LoopRules,
  type LoopState,
  type LoopStep,
  type LoopTurn,
  MAX_FAILURES_IN_ROW,
  NEW_ITERATION,
} from './loop.ts';
export { afterLoopEvent, type LoopAction, type LoopEvent, newLoop, nextAction } from './loop-machine.ts';
export { loopTurn } from './loop-turn.ts';
export { iterationWords, LOOP_STATE_WORDS, loopWords } from './loop-words.ts';
