import { ChangesStage, good, TestRepository } from '@signalbox/testing/hub/changes-stage';
import { describe, expect, it } from 'vitest';

const CODE = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);

describe('comments on changed lines', () => {
  it('[CG1634] are drafts that know whether their lines still fit, and go to the agent as one prompt', async () => {
    const stage = await ChangesStage.open();
    const repository = new TestRepository();
    repository.commit({ 'a.ts': CODE.join('\n') });
    const head = repository.git('rev-parse', 'HEAD').trim();
    const session = await stage.session(repository.folder);
    const changed = CODE.with(4, 'FIVE').with(9, 'TEN');
    repository.write('a.ts', changed.join('\n'));
    const add = async (body: object): Promise<string> =>
      good(await session.call('POST', '/comments', { path: 'a.ts', side: 'new', ...body })).id;
    const fits = async (): Promise<unknown> =>
      good(await session.call('GET', '/comments')).items.map(({ fit }: { fit: string }) => fit);
    await add({ line: 5, quote: 'FIVE', text: 'Say six.' });
    await add({ line: 10, quote: 'TEN\nline 11', text: 'Both\nlines.' });
    await add({ line: 5, side: 'old', quote: 'line 5', text: 'Why is it gone?' });
    const taken = await add({ line: 1, quote: 'line 1', text: 'Never mind.' });
    await session.call('DELETE', `/comments/${taken}`);
    expect(await fits()).toEqual(['fits', 'fits', 'fits']);
    repository.write('a.ts', ['new first', ...changed].join('\n'));
    expect(await fits()).toEqual(['moved', 'moved', 'fits']);
    repository.write('a.ts', changed.with(4, 'SIX').join('\n'));
    expect(await fits()).toEqual(['gone', 'fits', 'fits']);
    // They survive the hub, and who may only watch changes none of them.
    expect(await stage.store.comments.list(session.id)).toHaveLength(3);
    const watcher = await stage.tokenFor('approve');
    expect((await session.call('POST', '/comments/send', { clientId: 'c' }, watcher)).status).toBe(403);
    const prompt = good(await session.call('POST', '/comments/send', { clientId: 'c1' }));
    expect(prompt).toMatchObject({ clientId: 'c1', state: 'waiting', author: { name: 'Ada' } });
    expect(prompt.content).toBe(
      [
        'Comments on the changes:',
        '1. a.ts, line 5; these lines have changed since:\n> FIVE',
        'Say six.',
        '2. a.ts, lines 10 to 11:\n> TEN\n> line 11',
        'Both\nlines.',
        `3. a.ts, line 5, as it was in ${head.slice(0, 12)}:\n> line 5`,
        'Why is it gone?',
      ].join('\n\n'),
    );
    expect(await fits()).toEqual([]);
    expect(await session.refusal('POST', '/comments/send', { clientId: 'c2' })).toEqual([409, 'NO_COMMENTS']);
    expect(
      await session.refusal('POST', '/comments', { path: 'a.ts', side: 'up', line: 0, text: '' }),
    ).toEqual([400, 'REQUEST_INVALID']);
  });
});
