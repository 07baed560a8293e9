import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { timeLimit } from '../src/index.ts';

describe('a limit of time', () => {
  it('[RE670] fires through AbortSignal.any, also after garbage was collected', async () => {
    setFlagsFromString('--expose-gc');
    const gc: () => void = runInNewContext('gc');
    const either = AbortSignal.any([new AbortController().signal, timeLimit(100)]);
    const fired = once(either, 'abort');
    for (let round = 0; round < 3; round += 1) {
      gc();
      // What was collected is let go of in a turn of its own.
      await new Promise(setImmediate);
    }
    await fired;
    expect(either.reason).toMatchObject({ name: 'TimeoutError' });
  });
});
