import {
  afterLoopEvent,
  type LoopEvent,
  type LoopProgress,
  type LoopRules,
  type LoopTurn,
  newLoop,
  nextAction,
} from '@signalbox/protocol/loop';
import { describe, expect, it } from 'vitest';

const well: LoopTurn = { how: 'well', text: 'worked on it', turns: 2, costUsd: 0.5 };
const failed: LoopTurn = { ...well, how: 'failed', text: 'no key', costUsd: 0 };

function play(rules: Partial<LoopRules>, events: readonly LoopEvent[], from = newLoop()): LoopProgress {
  return events.reduce((loop, event) => afterLoopEvent({ maxIterations: 3, ...rules }, loop, event), from);
}

const begun: LoopEvent = { type: 'begun' };
const turn = (how: LoopTurn): LoopEvent => ({ type: 'turn-ended', turn: how });
const round = (how: LoopTurn): LoopEvent[] => [begun, turn(how)];

describe('the loop machine', () => {
  it('[LP1150] goes from iteration to iteration, and adds up what they took', () => {
    expect(nextAction(newLoop())).toBe('begin');
    const first = play({}, [begun]);
    expect(first).toMatchObject({ state: 'running', step: 'turn', iteration: 1 });
    expect(nextAction(first)).toBe('turn');
    const second = play({}, [turn(well), begun], first);
    expect(second).toMatchObject({ step: 'turn', iteration: 2, turns: 2, costUsd: 0.5 });
    const end = play({}, [turn(well), ...round(well)], second);
    expect(end).toMatchObject({ state: 'ended', end: 'done', iteration: 3, turns: 6, costUsd: 1.5 });
    expect(end.reason?.code).toBe('all_iterations');
    expect(nextAction(end)).toBe('rest');
  });

  it('[LP1151] is done when its text is said or its command is met, and at a limit when neither came', () => {
    const said = { ...well, text: 'ALL DONE here' };
    expect(play({ untilText: 'ALL DONE' }, round(said))).toMatchObject({ end: 'done', iteration: 1 });
    expect(play({ untilText: 'ALL DONE' }, round({ ...said, how: 'failed' })).end).toBeNull();
    const limit = play({ untilText: 'ALL DONE' }, [...round(well), ...round(well), ...round(well)]);
    expect(limit).toMatchObject({ end: 'limit', reason: { code: 'max_iterations' } });
    const checking = play({ untilCommand: 'make test' }, round(well));
    expect(nextAction(checking)).toBe('check');
    const met = play(
      { untilCommand: 'make test' },
      [{ type: 'checked', check: { result: 'met' } }],
      checking,
    );
    expect(met).toMatchObject({ end: 'done', reason: { code: 'until_command' } });
    const unmet = play(
      { untilCommand: 'make test' },
      [{ type: 'checked', check: { result: 'unmet' } }],
      checking,
    );
    expect(nextAction(unmet)).toBe('begin');
    expect(play({ budgetUsd: 1 }, [...round(well), ...round(well)])).toMatchObject({
      end: 'limit',
      reason: { code: 'budget_usd', message: '$1.00 of $1.00 are spent after 2 iterations.' },
    });
  });

  it('[LP1152] three failures in a row end it with the last words; one that goes well starts the count anew', () => {
    const rules = { maxIterations: 10 };
    const two = play(rules, [...round(failed), ...round(failed)]);
    expect(two).toMatchObject({ state: 'running', failuresInRow: 2 });
    expect(play(rules, round(well), two).failuresInRow).toBe(0);
    const end = play(rules, round(failed), two);
    expect(end).toMatchObject({ state: 'ended', end: 'failed', reason: { code: 'turn_failed' } });
    expect(end.reason?.message).toContain('no key');
    const hung: LoopEvent = {
      type: 'checked',
      check: { result: 'failed', code: 'LOOP_CONDITION_TIMEOUT', message: 'too slow' },
    };
    const hungOnce = [...round(well), hung];
    expect(play({ ...rules, untilCommand: 'sleep' }, [...hungOnce, ...hungOnce, ...hungOnce])).toMatchObject({
      end: 'failed',
      reason: { code: 'LOOP_CONDITION_TIMEOUT' },
    });
    // Nothing was asked for but the iterations, and the last of them failed.
    expect(play({ maxIterations: 1 }, round(failed))).toMatchObject({ end: 'failed' });
  });

  it('[LP1153] pauses between iterations, after a failure where that is wanted, and when the turn is stopped by hand', () => {
    const pausing = play({}, [begun, { type: 'pause', by: 'Zoe' }]);
    expect(pausing).toMatchObject({ state: 'pausing', reason: { message: 'Zoe paused it.' } });
    const paused = play({}, [turn(well)], pausing);
    expect(paused).toMatchObject({ state: 'paused', step: 'over' });
    expect(nextAction(paused)).toBe('rest');
    expect(play({}, [{ type: 'resume' }, begun], paused)).toMatchObject({ state: 'running', iteration: 2 });
    expect(play({}, [{ type: 'resume' }], pausing)).toMatchObject({ state: 'running', reason: null });
    const failedOnce = play({ pauseOnFailure: true }, round(failed));
    expect(failedOnce).toMatchObject({ state: 'paused', reason: { message: 'no key' }, failuresInRow: 1 });
    expect(play({ pauseOnFailure: true }, [{ type: 'resume' }], failedOnce).failuresInRow).toBe(0);
    const byHand = play({}, round({ ...well, how: 'interrupted' }));
    expect(byHand).toMatchObject({ state: 'paused', reason: { code: 'interrupted' } });
    const gone = { code: 'FOLDER_NOT_FOUND', message: 'gone' };
    expect(play({}, [{ type: 'blocked', reason: gone }])).toMatchObject({ end: 'failed', reason: gone });
    expect(play({ pauseOnFailure: true }, [{ type: 'blocked', reason: gone }]).state).toBe('paused');
  });

  it('[LP1154] stops after the turn under way, at once between two, and never goes on after its end', () => {
    const stopping = play({}, [begun, { type: 'stop', by: 'Zoe' }]);
    expect(stopping.state).toBe('stopping');
    expect(nextAction(stopping)).toBe('turn');
    const end = play({}, [turn({ ...well, how: 'interrupted' })], stopping);
    expect(end).toMatchObject({ state: 'ended', end: 'stopped', reason: { message: 'Zoe stopped it.' } });
    expect(play({}, [{ type: 'stop' }])).toMatchObject({ state: 'ended', end: 'stopped' });
    const late: LoopEvent[] = [begun, turn(well), { type: 'pause' }, { type: 'resume' }, { type: 'stop' }];
    expect(play({}, late, end)).toBe(end);
    // A stop is not taken back by whoever pauses or resumes at the same moment.
    expect(play({}, [{ type: 'pause' }, { type: 'resume' }], stopping)).toEqual(stopping);
  });

  it('[LP1155] an event that does not fit changes nothing', () => {
    const fresh = newLoop();
    const paused = play({}, [{ type: 'pause' }]);
    expect(play({}, [turn(well), { type: 'checked', check: { result: 'met' } }], fresh)).toBe(fresh);
    expect(play({}, [begun, { type: 'pause' }], paused)).toBe(paused);
    expect(play({}, [{ type: 'resume' }], fresh)).toBe(fresh);
    const twice = play({}, [begun, begun]);
    expect(twice.iteration).toBe(1);
  });
});
