import { describe, expect, it } from 'vitest';
import { suggestionsIn, suggestionWords } from '../../src/words/suggestion-words.ts';

const GIT = { toolName: 'Bash', ruleContent: 'git:*' };

describe('what “always allow” would change', () => {
  it.each([
    [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }, 'accept all edits for this session'],
    [{ type: 'setMode', mode: 'newMode' }, 'mode newMode for this session'],
    [
      {
        type: 'addRules',
        rules: [GIT, { toolName: 'Read' }],
        behavior: 'deny',
        destination: 'localSettings',
      },
      'deny Bash(git:*), Read in this folder, for you',
    ],
    [
      { type: 'replaceRules', rules: [{ toolName: 'Read' }], destination: 'projectSettings' },
      'allow Read and forget every other rule to allow, in this folder, for everyone',
    ],
    [{ type: 'removeRules', rules: [GIT], destination: 'cliArg' }, 'forget Bash(git:*) for this session'],
    [
      { type: 'addDirectories', directories: ['/a', '/b'], destination: 'userSettings' },
      'work in /a, /b in all folders, for you',
    ],
    [{ type: 'removeDirectories', directories: ['/a'] }, 'leave /a for this session'],
    [{ type: 'newKind', destination: 'newPlace' }, 'newKind in newPlace'],
  ])('[WO4] says %j in words', (update, words) => {
    expect(suggestionWords([update])).toBe(words);
  });

  it('[WO4] says all that is suggested, and takes what is no suggestion for none', () => {
    const addA = { type: 'addDirectories', directories: ['/a'] };
    const plan = { type: 'setMode', mode: 'plan' };
    const suggested = suggestionsIn({ permission_suggestions: [addA, 'nonsense', null, plan] });
    expect(suggested).toEqual([addA, plan]);
    expect(suggestionWords(suggested)).toBe('work in /a for this session; plan only for this session');
    expect(suggestionsIn({})).toEqual([]);
  });
});
