import { describe, expect, it } from 'vitest';
import { restartIn } from '../src/run/restart-options.ts';

describe('when an agent is started again', () => {
  it('[CL1979] is said by --restart and --restarts; what makes no sense is refused', () => {
    expect(restartIn({})).toEqual({});
    expect(restartIn({ restart: 'never' })).toEqual({ restart: 'never' });
    expect(restartIn({ restart: 'on-failure' })).toEqual({ restart: 'on-failure' });
    expect(restartIn({ restart: 'always', restarts: '3' })).toEqual({ restart: 'always', restartLimit: 3 });
    for (const wrong of [
      { restart: 'sometimes' },
      { restarts: '3' },
      { restart: 'never', restarts: '3' },
      { restart: 'always', restarts: '0' },
      { restart: 'always', restarts: 'x' },
      { restart: 'always', restarts: '101' },
    ])
      expect(() => restartIn(wrong), JSON.stringify(wrong)).toThrow(
        expect.objectContaining({ code: 'COMMAND_OPTIONS' }),
      );
  });
});
