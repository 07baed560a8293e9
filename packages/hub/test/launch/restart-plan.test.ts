import type { SessionExit, SessionRestart } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { restartAfter, restartOf } from '../../src/launch/restart-plan.ts';

const FAILED: SessionExit = { code: 1, signal: null, stderr: 'out of memory' };
const WELL: SessionExit = { code: 0, signal: null, stderr: '' };
const KILLED: SessionExit = { code: null, signal: 'SIGKILL', stderr: '' };

function planned(change: object = {}) {
  const restart = restartOf({
    agent: 'claude',
    folder: '/',
    restart: 'on-failure',
    restartLimit: 3,
    ...change,
  });
  if (!restart) throw new Error('nothing is planned');
  return restart;
}

describe('restarts of an agent', () => {
  it('[AP1975] wait longer each time, keep why, and are given up at their limit; a steady run begins anew', () => {
    expect(restartOf({ agent: 'claude', folder: '/' })).toBeNull();
    expect(restartOf({ agent: 'claude', folder: '/', restart: 'never' })).toBeNull();
    const now = planned().startedAt ?? 0;
    const waits: (number | null)[] = [];
    let state: SessionRestart = { ...planned(), startedAt: now };
    for (let at = 0; at < 4; at += 1) {
      state = restartAfter(state, at % 2 ? KILLED : FAILED, { isWanted: false, now });
      waits.push(state.nextAt === null ? null : state.nextAt - now);
    }
    expect(waits).toEqual([1000, 2000, 4000, null]);
    expect(state).toMatchObject({ state: 'given-up', count: 3, why: 'The agent was ended by SIGKILL.' });
    expect(restartAfter(planned(), FAILED, { isWanted: false, now }).why).toBe(
      'The agent failed with exit code 1: out of memory',
    );
    const steady = restartAfter({ ...planned(), startedAt: now, count: 3 }, FAILED, {
      isWanted: false,
      now: now + 600_000,
    });
    expect(steady).toMatchObject({ state: 'waiting', count: 1 });
    const often = restartAfter({ ...planned({ restartLimit: 100 }), startedAt: now, count: 50 }, FAILED, {
      isWanted: false,
      now,
    });
    expect((often.nextAt ?? 0) - now).toBe(60_000);
  });

  it('[AP1976] are never for one that somebody ended; one that ended well is started again by always alone', () => {
    const now = Date.now();
    for (const restart of ['on-failure', 'always'])
      for (const exit of [FAILED, WELL, KILLED, null])
        expect(restartAfter(planned({ restart }), exit, { isWanted: true, now }).state).toBe('over');
    expect(restartAfter(planned(), WELL, { isWanted: false, now }).state).toBe('over');
    expect(restartAfter(planned({ restart: 'always' }), WELL, { isWanted: false, now }).state).toBe(
      'waiting',
    );
    expect(restartAfter(planned(), null, { isWanted: false, now }).state).toBe('waiting');
  });
});
