import { LIMITS } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { SqlNotices } from '../../src/store/sql/parts/notices.ts';
import type { Dialect, Steps } from '../../src/store/sql/statement.ts';
import { Database } from '../../src/store/sqlite/database.ts';
import { migrate } from '../../src/store/sqlite/migrations.ts';
import { target } from './contract-notices.ts';

const TARGETS = 20;
const ANY: Dialect = { isOneOf: () => '', textAt: () => '', greater: () => '' };

describe('notices for many targets', () => {
  it('[HB3161] what waits for a target is not counted for each notice, neither while there is room nor when there is none', () => {
    const database = new Database(':memory:');
    migrate(database);
    const notices = new SqlNotices();
    let counts = 0;
    const work = <Result>(steps: Steps<Result>): Result => database.work(counting(steps));
    function* counting<Result>(steps: Steps<Result>): Steps<Result> {
      let step = steps.next();
      while (!step.done) {
        if (step.value.statement.textIn(ANY).includes('count(*)')) counts += 1;
        step = steps.next(yield step.value);
      }
      return step.value;
    }
    const targets = Array.from({ length: TARGETS }, () => target());
    for (const one of targets) work(notices.addTarget(one));
    counts = 0;
    const states = new Map<string, number>();
    for (let n = 0; n < LIMITS.noticesWaiting.most + 200; n += 1) {
      const told = { id: `n${n}`, session: null, cause: `n${n}`, kind: 'test', requestId: null } as const;
      const deliveries = targets.map(({ id }) => ({ target: id, state: 'waiting' }) as const);
      for (const { state } of work(notices.add({ ...told, title: '', body: '' }, deliveries)))
        states.set(state, (states.get(state) ?? 0) + 1);
    }
    expect(Object.fromEntries(states)).toEqual({ waiting: 1000 * TARGETS, failed: 200 * TARGETS });
    expect(counts).toBeLessThan(200 * TARGETS);
    database.close();
  });
});
