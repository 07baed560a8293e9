import {
  type LoopCheck,
  type LoopEnd,
  type LoopProgress,
  type LoopReason,
  type LoopRules,
  type LoopTurn,
  MAX_FAILURES_IN_ROW,
} from './loop.ts';

/** What happens to a loop. */
export type LoopEvent =
  | { type: 'begun' }
  | { type: 'turn-ended'; turn: LoopTurn }
  | { type: 'checked'; check: LoopCheck }
  /** No iteration can be begun: its prompt or its folder is gone, for example. */
  | { type: 'blocked'; reason: LoopReason }
  | { type: 'pause'; by?: string }
  | { type: 'resume' }
  | { type: 'stop'; by?: string };

/** What whoever runs a loop has to do next; `rest` until something happens to it. */
export type LoopAction = 'begin' | 'turn' | 'check' | 'rest';

/** A loop that has not begun. */
export function newLoop(): LoopProgress {
  return {
    state: 'running',
    step: 'over',
    iteration: 0,
    failuresInRow: 0,
    turns: 0,
    costUsd: 0,
    end: null,
    reason: null,
  };
}

export function nextAction({ state, step }: LoopProgress): LoopAction {
  if (state === 'ended') return 'rest';
  if (step !== 'over') return step;
  return state === 'running' ? 'begin' : 'rest';
}

/** The loop after an event. An event that does not fit changes nothing: two people may act at once. */
export function afterLoopEvent(rules: LoopRules, loop: LoopProgress, event: LoopEvent): LoopProgress {
  if (loop.state === 'ended') return loop;
  switch (event.type) {
    case 'begun':
      return nextAction(loop) === 'begin' ? { ...loop, step: 'turn', iteration: loop.iteration + 1 } : loop;
    case 'turn-ended':
      return loop.step === 'turn' ? afterTurn(rules, loop, event.turn) : loop;
    case 'checked':
      return loop.step === 'check' ? afterCheck(rules, loop, event.check) : loop;
    case 'blocked':
      return loop.step === 'over' ? halted(rules, loop, event.reason) : loop;
    case 'pause':
      return pause(loop, event.by);
    case 'resume':
      return resume(rules, loop);
    case 'stop':
      return loop.step === 'over'
        ? ended(loop, 'stopped', stopped(event.by))
        : { ...loop, state: 'stopping', reason: stopped(event.by) };
  }
}

function afterTurn(rules: LoopRules, before: LoopProgress, turn: LoopTurn): LoopProgress {
  const loop: LoopProgress = {
    ...before,
    turns: before.turns + turn.turns,
    costUsd: before.costUsd + turn.costUsd,
  };
  const { untilText, untilCommand } = rules;
  if (turn.how === 'well' && untilText !== undefined && turn.text.includes(untilText))
    return ended(loop, 'done', { code: 'until_text', message: `The agent said “${untilText}”.` });
  if (loop.state === 'stopping') return ended(loop, 'stopped', loop.reason ?? stopped());
  switch (turn.how) {
    case 'interrupted':
      return {
        ...loop,
        step: 'over',
        state: 'paused',
        reason: loop.reason ?? { code: 'interrupted', message: 'Somebody stopped the turn.' },
      };
    case 'failed':
      return afterFailure(rules, loop, { code: 'turn_failed', message: turn.text });
    case 'well':
      return untilCommand === undefined ? concluded(rules, loop) : { ...loop, step: 'check' };
  }
}

function afterCheck(rules: LoopRules, loop: LoopProgress, check: LoopCheck): LoopProgress {
  if (check.result === 'met')
    return ended(loop, 'done', { code: 'until_command', message: 'The condition command exited with 0.' });
  if (loop.state === 'stopping') return ended(loop, 'stopped', loop.reason ?? stopped());
  if (check.result === 'unmet') return concluded(rules, loop);
  const { code, message } = check;
  return afterFailure(rules, loop, { code, message });
}

function afterFailure(rules: LoopRules, before: LoopProgress, { code, message }: LoopReason): LoopProgress {
  const loop = { ...before, step: 'over' as const, failuresInRow: before.failuresInRow + 1 };
  if (loop.failuresInRow >= MAX_FAILURES_IN_ROW)
    return ended(loop, 'failed', {
      code,
      message: `${loop.failuresInRow} iterations failed one after the other. The last one: ${message}`,
    });
  if (rules.pauseOnFailure) return { ...loop, state: 'paused', reason: { code, message } };
  const limit = limitOf(rules, loop);
  if (limit?.code === 'all_iterations') return ended(loop, 'failed', { code, message });
  return limit ? ended(loop, 'limit', limit) : waiting(loop);
}

/** An iteration is over, and nothing was wrong with it. */
function concluded(rules: LoopRules, before: LoopProgress): LoopProgress {
  const loop = { ...before, step: 'over' as const, failuresInRow: 0 };
  const limit = limitOf(rules, loop);
  if (!limit) return waiting(loop);
  return ended(loop, limit.code === 'all_iterations' ? 'done' : 'limit', limit);
}

/** Between two iterations a loop that is to pause does so. */
function waiting(loop: LoopProgress): LoopProgress {
  return loop.state === 'pausing' ? { ...loop, state: 'paused' } : loop;
}

/** Why no further iteration may begin. Without a condition, to run all iterations is what was asked for. */
function limitOf(rules: LoopRules, { iteration, costUsd }: LoopProgress): LoopReason | undefined {
  const { maxIterations, budgetUsd, untilText, untilCommand } = rules;
  const count = iteration === 1 ? '1 iteration' : `${iteration} iterations`;
  if (iteration >= maxIterations) {
    const hasCondition = untilText !== undefined || untilCommand !== undefined;
    return hasCondition
      ? { code: 'max_iterations', message: `The condition did not come in ${count}.` }
      : { code: 'all_iterations', message: `All ${count} were run.` };
  }
  if (budgetUsd === undefined || costUsd < budgetUsd) return undefined;
  return {
    code: 'budget_usd',
    message: `$${costUsd.toFixed(2)} of $${budgetUsd.toFixed(2)} are spent after ${count}.`,
  };
}

function halted(rules: LoopRules, loop: LoopProgress, reason: LoopReason): LoopProgress {
  return rules.pauseOnFailure ? { ...loop, state: 'paused', reason } : ended(loop, 'failed', reason);
}

function pause(loop: LoopProgress, by?: string): LoopProgress {
  if (loop.state !== 'running') return loop;
  const reason = { code: 'paused', message: by === undefined ? 'It was paused.' : `${by} paused it.` };
  return { ...loop, state: loop.step === 'over' ? 'paused' : 'pausing', reason };
}

/** Whoever resumes has seen what failed: failures are counted anew. */
function resume(rules: LoopRules, loop: LoopProgress): LoopProgress {
  if (loop.state !== 'paused' && loop.state !== 'pausing') return loop;
  const going: LoopProgress = { ...loop, state: 'running', reason: null, failuresInRow: 0 };
  const limit = loop.step === 'over' ? limitOf(rules, loop) : undefined;
  return limit ? ended(going, limit.code === 'all_iterations' ? 'done' : 'limit', limit) : going;
}

function ended(loop: LoopProgress, end: LoopEnd, reason: LoopReason): LoopProgress {
  return { ...loop, state: 'ended', step: 'over', end, reason };
}

function stopped(by?: string): LoopReason {
  return { code: 'stopped', message: by === undefined ? 'It was stopped.' : `${by} stopped it.` };
}
