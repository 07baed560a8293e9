import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenFor } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { LaunchStage } from './launch-stage.ts';

/** The numbers of the prompts of a session, in their order. */
async function promptsOf(stage: LaunchStage, session: string): Promise<number[]> {
  const { entries } = await stage.store.record.tail(session, 1000);
  return entries.flatMap((entry) =>
    entry.kind === 'line' && entry.author.by === 'person' && entry.line.head().type === 'user'
      ? entry.seq
      : [],
  );
}

/** The numbers of the replies of a session's agent, in their order. */
async function repliesOf(stage: LaunchStage, session: string): Promise<number[]> {
  const { entries } = await stage.store.record.tail(session, 1000);
  return entries.flatMap((entry) =>
    entry.kind === 'line' && entry.line.head().type === 'assistant' ? entry.seq : [],
  );
}

describe('a fork of a session', () => {
  it('[LN2121] goes on from before any of its prompts, as it was launched; the session stays as it is', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched({ model: 'puppet' });
    for (const words of ['say one', 'say two', 'say three']) await stage.prompt(id, words);
    const before = await stage.messagesOf(id);
    const [first = 0, second = 0, third = 0] = await promptsOf(stage, id);
    const fork = (body: object, token?: string) =>
      stage.call('POST', `/api/sessions/${id}/fork`, body, token);

    const middle = await fork({ before: third, title: 'another try' });
    expect([middle.status, middle.body]).toMatchObject([
      200,
      { state: 'idle', title: 'another try', folder: stage.folder, model: 'puppet' },
    ]);
    // Nothing was said there yet: it begins at the same place once more.
    await stage.call('POST', `/api/sessions/${middle.body.id}/restart`, {});
    await stage.prompt(middle.body.id, 'say else');
    const asked = JSON.stringify(stage.model.requests.at(-1)?.body);
    for (const words of ['say one', 'say two', 'say else']) expect(asked).toContain(words);
    expect(asked).not.toContain('say three');

    const start = await fork({ before: first });
    await stage.prompt(start.body.id, 'say new');
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).not.toContain('say one');
    expect(start.body.title).toBe('Fork of say one');

    const all = await fork({});
    await stage.prompt(all.body.id, 'say more');
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain('say three');

    expect(await stage.messagesOf(id)).toEqual(before);
    await stage.prompt(id, 'say four');
    const went = JSON.stringify(stage.model.requests.at(-1)?.body);
    expect([went.includes('say three'), went.includes('say else')]).toEqual([true, false]);

    // A copy of a copy goes by its own conversation.
    const copy = await stage.call('POST', `/api/sessions/${middle.body.id}/fork`, {});
    await stage.prompt(copy.body.id, 'say copied');
    expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain('say else');

    for (const wrong of [second + 1, 9999])
      expect(await fork({ before: wrong })).toMatchObject({ status: 409, body: { code: 'NOT_A_PROMPT' } });
    for (const wrong of [0, -1, 1.5, 'x'])
      expect(await fork({ before: wrong })).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
    const watch = await tokenFor(stage.store, { scope: 'approve' });
    const held = await tokenFor(stage.store, { scope: 'drive', session: id });
    for (const token of [watch, held])
      expect(await fork({}, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await stage.store.sessions.create('dialled', {});
    const other = await stage.call('POST', '/api/sessions/dialled/fork', {});
    expect(other).toMatchObject({ status: 409, body: { code: 'SESSION_NOT_LAUNCHED' } });
    expect((await stage.call('POST', '/api/sessions/none/fork', {})).status).toBe(404);
  });

  it('[LN3370] goes on from after any reply, and with it', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched({ mode: 'acceptEdits' });
    const file = join(stage.folder, 'note.txt');
    for (const words of ['say one', `write ${file} two`, 'say three']) await stage.prompt(id, words);
    const replies = await repliesOf(stage, id);
    const fork = (body: object) => stage.call('POST', `/api/sessions/${id}/fork`, body);
    const ends: (readonly [number, boolean, boolean])[] = [];
    for (const seq of replies) {
      const { status, body } = await fork({ after: seq });
      expect(status).toBe(200);
      await stage.prompt(body.id, 'say else');
      const asked = JSON.stringify(stage.model.requests.at(-1)?.body);
      expect([asked.includes('say one'), asked.includes('say else')]).toEqual([true, true]);
      ends.push([seq, asked.includes('note.txt two'), asked.includes('say three')]);
    }
    expect(ends.at(0)?.slice(1)).toEqual([false, false]);
    expect(ends.at(-2)?.slice(1)).toEqual([true, false]);
    expect(ends.at(-1)?.slice(1)).toEqual([true, true]);
    const [prompt = 0] = await promptsOf(stage, id);
    for (const wrong of [prompt, 9999])
      expect(await fork({ after: wrong })).toMatchObject({ status: 409, body: { code: 'NOT_A_REPLY' } });
    for (const wrong of [{ after: 0 }, { after: replies[0], before: prompt }])
      expect(await fork(wrong)).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
  });

  it('[LN2122] files go back to what they were before a prompt, after a look at what that would change', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched({ mode: 'acceptEdits' });
    const file = join(stage.folder, 'note.txt');
    for (const words of ['first', 'second']) await stage.prompt(id, `write ${file} ${words}`);
    const [, seq = 0] = await promptsOf(stage, id);
    const [entry] = (await stage.store.record.window(id, seq, 1)).entries;
    const uuid = entry?.kind === 'line' ? entry.line.head().uuid : undefined;
    const rewind = (dry: boolean) =>
      stage.call('POST', `/api/sessions/${id}/control`, {
        subtype: 'rewind_files',
        user_message_id: uuid,
        dry_run: dry,
      });
    expect((await rewind(true)).body).toMatchObject({ canRewind: true, filesChanged: [file] });
    expect(readFileSync(file, 'utf8')).toContain('second');
    expect((await rewind(false)).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toContain('first');
  });
});
