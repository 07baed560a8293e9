import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeptAnswers } from '../../src/store/kept-answer.ts';
import type { Immediate } from '../../src/store/sql/part.ts';
import { SqlAnswers } from '../../src/store/sql/parts/answers.ts';
import { Database } from '../../src/store/sqlite/database.ts';
import { migrate } from '../../src/store/sqlite/migrations.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIMIT = { code: 'STORE_LIMIT' };

/** Answers in a database, of which so many are kept for one principal. */
function answersUpTo(most: { keys: number; bytes: number }): Immediate<KeptAnswers> {
  const database = new Database(':memory:');
  onTestFinished(() => database.close());
  migrate(database);
  const answers = new SqlAnswers(most);
  return {
    begin: (...values) => database.work(answers.begin(...values)),
    abandon: (...values) => database.work(answers.abandon(...values)),
    recall: (...values) => database.work(answers.recall(...values)),
    keep: (...values) => database.work(answers.keep(...values)),
  };
}

describe('kept answers of one token', () => {
  it('[LOG551] keys have a number: one more is not begun, an abandoned or old one makes room, and others have their own', () => {
    const answers = answersUpTo({ keys: 2, bytes: 1000 });
    answers.begin('ann', 'a', '', DAY_MS);
    answers.begin('ann', 'b', '', DAY_MS);
    expect(() => answers.begin('ann', 'c', '', DAY_MS)).toThrow(expect.objectContaining(LIMIT));
    expect(answers.begin('ann', 'b', '', DAY_MS)).toMatchObject({ isFirst: false });
    expect(answers.begin('bob', 'c', '', DAY_MS)).toMatchObject({ isFirst: true });
    answers.abandon('ann', 'a');
    answers.abandon('ann', 'a');
    expect(answers.begin('ann', 'c', '', -1)).toMatchObject({ isFirst: true });
    expect(answers.begin('ann', 'd', '', DAY_MS)).toMatchObject({ isFirst: true });
    expect(() => answers.begin('ann', 'e', '', DAY_MS)).toThrow(expect.objectContaining(LIMIT));
  });

  it('[LOG551] answers have a size together: one more is not kept, and its request stays known as begun', () => {
    const answers = answersUpTo({ keys: 10, bytes: 10 });
    const answer = { fingerprint: 'f', status: 200, body: '123456' };
    for (const key of ['a', 'b']) answers.begin('ann', key, 'f', DAY_MS);
    answers.keep('ann', 'a', answer, DAY_MS);
    expect(() => answers.keep('ann', 'b', answer, DAY_MS)).toThrow(expect.objectContaining(LIMIT));
    expect(answers.begin('ann', 'b', 'f', DAY_MS)).toMatchObject({ isFirst: false, answer: undefined });
    expect(answers.begin('ann', 'a', 'f', DAY_MS).answer).toMatchObject({ body: '123456' });
  });
});
