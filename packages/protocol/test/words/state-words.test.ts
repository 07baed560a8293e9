import { describe, expect, it } from 'vitest';
import { SESSION_STATES } from '../../src/hub/session-state.ts';
import { exitWords, turnOutcome } from '../../src/words/end-words.ts';
import {
  endingWords,
  removingWords,
  STATE_WORDS,
  stateNamed,
  stateWords,
} from '../../src/words/state-words.ts';

describe('the words for states', () => {
  it('[WO280] every state has a word of its own, and is found by it and by its name', () => {
    const words = SESSION_STATES.map((state) => STATE_WORDS[state].word);
    expect(new Set(words).size).toBe(SESSION_STATES.length);
    expect(words.map(stateNamed)).toEqual([...SESSION_STATES]);
    expect(SESSION_STATES.map(stateNamed)).toEqual([...SESSION_STATES]);
    expect(stateNamed('constructor')).toBeUndefined();
  });

  it('[WO274] one that waits for a prompt, and could do nothing with the last, is not called ready', () => {
    const noKey = { code: 'no_credentials', message: 'No key' } as const;
    const failed = { code: 'turn_failed', message: 'Overloaded' } as const;
    expect(stateWords({ state: 'idle', problem: null })).toBe(STATE_WORDS.idle);
    expect(stateWords({ state: 'active', problem: noKey })).toBe(STATE_WORDS.active);
    expect(stateWords({ state: 'idle', problem: noKey }).word).toBe('cannot work');
    expect(stateWords({ state: 'idle', problem: noKey }).sentence).toContain('ANTHROPIC_API_KEY');
    expect(stateWords({ state: 'idle', problem: failed })).toEqual({
      word: 'last turn failed',
      sentence: 'Overloaded',
    });
  });

  it('[WO281] says before what ending an agent and removing a session mean', () => {
    expect(endingWords('active')).toContain('in the middle of its turn');
    expect(endingWords('idle')).not.toContain('turn');
    expect(removingWords('idle', 'Shop')).toBe(
      'This ends its agent and deletes all that was said in “Shop”, for good. The files that it worked on stay.',
    );
    expect(removingWords('exited', 'Shop')).toMatch(/^This deletes all/);
  });

  it.each([
    [{ subtype: 'success', result: 'done' }, { how: 'well' }],
    [
      { subtype: 'success', is_error: true, result: 'No key' },
      { how: 'failed', problem: 'No key' },
    ],
    [{ subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }, { how: 'interrupted' }],
    [{ subtype: 'error_during_execution', errors: [] }, { how: 'interrupted' }],
    [
      { subtype: 'error_during_execution', errors: ['a', 'b'] },
      { how: 'failed', problem: 'a\nb' },
    ],
    [
      { subtype: 'error_during_execution', terminal_reason: 'model_error' },
      { how: 'failed', problem: 'It failed without saying why.' },
    ],
    [
      { subtype: 'error_max_turns', errors: ['5'] },
      { how: 'failed', problem: expect.stringContaining('limit of turns') },
    ],
  ])('[WO282] tells how a turn ended: %j', (result, outcome) => {
    expect(turnOutcome(result)).toEqual(outcome);
  });

  it.each([
    [{ code: 1, signal: null }, 'Ada', 'Ada ended the agent'],
    [{ code: 1, signal: null }, undefined, 'The agent failed with exit code 1'],
    [{ code: 0, signal: null }, undefined, 'The agent has ended'],
    [{ code: null, signal: 'SIGKILL' }, undefined, 'The agent was ended by SIGKILL'],
    [{ code: null, signal: null }, undefined, 'The agent is gone'],
  ])('[WO283] tells how an agent ended: %j, by %s', (exit, endedBy, words) => {
    expect(exitWords(exit, endedBy)).toBe(words);
  });
});
