import { sessionTitle } from '@signalbox/protocol';
import { sampleSession } from '@signalbox/testing/hub/sample-session';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../src/model/line-diff.ts';
import { choose, questionAnswer, questionsIn, write } from '../src/model/questions.ts';
import { ago, inOrder } from '../src/model/session-order.ts';
import { toolTitle } from '../src/model/tool-title.ts';

const NOTHING = { labels: [], words: '' };

describe('what a person reads', () => {
  it('[CO11] names tools as people do', () => {
    const names = ['WebSearch', 'TodoWrite', 'Bash', 'mcp__github__list_issues'];
    expect(names.map(toolTitle)).toEqual(['Search the web', 'To do', 'Bash', 'github: list_issues']);
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
    const sessions = [
      sampleSession({ id: 'old', state: 'idle', updatedAt: 1 }),
      sampleSession({ id: 'asks', state: 'asking', updatedAt: 2 }),
      sampleSession({ id: 'new', state: 'active', updatedAt: 3 }),
    ];
    expect(inOrder(sessions).map(({ id }) => id)).toEqual(['asks', 'new', 'old']);
    expect(sessions.map(sessionTitle)).toEqual(['shop', 'shop', 'shop']);
    expect([0, 61_000, 7_200_000, 200_000_000].map((past) => ago(0, past))).toEqual([
      'now',
      '1 min',
      '2 h',
      '2 d',
    ]);
  });
});
