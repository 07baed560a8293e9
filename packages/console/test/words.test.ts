import type { Session } from '@signalbox/protocol/hub';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../src/model/line-diff.ts';
import { choose, questionAnswer, questionsIn, write } from '../src/model/questions.ts';
import { ago, inOrder, titleOf } from '../src/model/session-order.ts';
import { suggestionWords } from '../src/model/suggestion-words.ts';
import { shortInput, toolTitle } from '../src/model/tool-words.ts';

const NOTHING = { labels: [], words: '' };

describe('what a person reads', () => {
  it('[CO11] names a call by what tells it from others', () => {
    expect(toolTitle('mcp__github__list_issues')).toBe('github: list_issues');
    expect(shortInput('Bash', { command: 'ls\npwd' }, null)).toBe('ls …');
    expect(shortInput('Edit', { file_path: '/shop/src/a.ts' }, '/shop')).toBe('src/a.ts');
    expect(shortInput('Grep', { pattern: 'x', path: '/shop/src' }, '/shop')).toBe('x in src');
    expect(shortInput('mcp__a__b', { a: 1, b: 'two' }, null)).toBe('a: 1, b: two');
  });

  it('[CO11] shows an edit as the lines that go and come', () => {
    expect(diffLines('a\nb\nc\n', 'a\nB\nc\nd\n').map(({ sign, text }) => sign + text)).toEqual([
      ' a',
      '-b',
      '+B',
      ' c',
      '+d',
    ]);
    expect(diffLines('', 'new')).toEqual([{ sign: '+', text: 'new' }]);
    const long = Array.from({ length: 700 }, (_, line) => `line ${line}`).join('\n');
    expect(diffLines(long, 'x')).toHaveLength(701);
  });

  it('[CO11] says what “allow always” would change', () => {
    const rules = [{ toolName: 'Bash', ruleContent: 'git:*' }];
    const update = { type: 'addRules', behavior: 'allow', rules, destination: 'localSettings' };
    expect(suggestionWords([update])).toBe('allow Bash(git:*) in this project, for you');
    expect(suggestionWords([{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }])).toBe(
      'accept all edits in this session',
    );
  });

  it('[CO12] answers a question with labels, with words, or with both where several may hold', () => {
    const [one, many] = questionsIn({
      questions: [
        { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] },
        { question: 'What else?', options: [{ label: 'C' }, { label: 'D' }], multiSelect: true },
      ],
    });
    if (!one || !many) throw new Error('There are two questions.');
    expect(questionAnswer([one], [NOTHING])).toBeUndefined();
    const picked = choose(one, choose(one, NOTHING, 'A'), 'B');
    const several = write(many, choose(many, choose(many, NOTHING, 'C'), 'D'), ' and more ');
    expect(questionAnswer([one, many], [picked, several])).toEqual({
      behavior: 'allow',
      answers: { 'Which?': ['B'], 'What else?': ['C', 'D'] },
      other: { 'What else?': 'and more' },
    });
    expect(questionAnswer([one], [write(one, picked, 'neither')])).toMatchObject({
      answers: {},
      other: { 'Which?': 'neither' },
    });
    expect(choose(many, several, 'C').labels).toEqual(['D']);
  });

  it('[CO13] lists sessions that ask first, then by their last change', () => {
    const session = (id: string, state: Session['state'], updatedAt: number): Session => ({
      id,
      state,
      updatedAt,
      createdAt: 0,
      title: null,
      folder: '/home/ada/shop',
      agent: null,
      model: null,
      mode: null,
      exit: null,
    });
    const sessions = [session('old', 'idle', 1), session('asks', 'asking', 2), session('new', 'active', 3)];
    expect(inOrder(sessions).map(({ id }) => id)).toEqual(['asks', 'new', 'old']);
    expect(sessions.map(titleOf)).toEqual(['shop', 'shop', 'shop']);
    expect([0, 61_000, 7_200_000, 200_000_000].map((past) => ago(0, past))).toEqual([
      'now',
      '1 min',
      '2 h',
      '2 d',
    ]);
  });
});
