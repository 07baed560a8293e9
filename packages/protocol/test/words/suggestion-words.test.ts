import { describe, expect, it } from 'vitest';
import { suggestionsIn, suggestionWords } from '../../src/words/suggestion-words.ts';

const GIT = { toolName: 'Bash', ruleContent: 'git:*' };

describe('what “always allow” would change', () => {
  it.each([
    [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }, 'accept all edits in this session'],
    [{ type: 'setMode', mode: 'newMode' }, 'mode newMode in this session'],
    [
      {
        type: 'addRules',
        rules: [GIT, { toolName: 'Read' }],
        behavior: 'deny',
        destination: 'localSettings',
      },
      'deny Bash(git:*), Read in this project, for you',
    ],
    [
      { type: 'replaceRules', rules: [{ toolName: 'Read' }], destination: 'projectSettings' },
      'allow Read in this project, for everyone',
    ],
    [{ type: 'removeRules', rules: [GIT], destination: 'cliArg' }, 'forget Bash(git:*) in this session'],
    [
      { type: 'addDirectories', directories: ['/a', '/b'], destination: 'userSettings' },
      'work in /a, /b in all of your projects',
    ],
    [{ type: 'removeDirectories', directories: ['/a'] }, 'leave /a in this session'],
    [{ type: 'newKind', destination: 'newPlace' }, 'newKind in newPlace'],
  ])('[WO4] says %j in words', (update, words) => {
    expect(suggestionWords([update])).toBe(words);
  });

  it('[WO4] says all that is suggested, and takes what is no suggestion for none', () => {
    const addA = { type: 'addDirectories', directories: ['/a'] };
    const plan = { type: 'setMode', mode: 'plan' };
    const suggested = suggestionsIn({ permission_suggestions: [addA, 'nonsense', null, plan] });
    expect(suggested).toEqual([addA, plan]);
    expect(suggestionWords(suggested)).toBe('work in /a in this session; plan only in this session');
    expect(suggestionsIn({})).toEqual([]);
  });
});
