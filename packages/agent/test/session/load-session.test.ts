import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type LoadedSession, loadSession } from '../../src/session/load-session.ts';
import { answer, answers, call, replies, says, sessionFolder, text } from './session-folder.ts';

const ID = '5b02a388-55b8-4280-9c3b-e2a704c01cd5';

async function load(lines: readonly (JsonObject | string)[], resumeAt?: string): Promise<LoadedSession> {
  const folder = await sessionFolder();
  await folder.store(ID, lines);
  return loadSession({ kind: 'session', sessionId: ID }, folder.sessionPaths, { resumeAt });
}

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const said = (value: string) => ({ type: 'text', text: value });

describe('a loaded session', () => {
  it('[SE9] has its replies whole, their results together, and no sub-agents', async () => {
    const { messages, model, permissionMode, lastUuid, entries } = await load([
      { type: 'queue-operation', operation: 'dequeue' },
      says('u1', null, 'go', { permissionMode: 'acceptEdits' }),
      replies('side', 'u1', 'of a sub-agent', { isSidechain: true }),
      replies('a1', 'u1', 'ok', { id: 'm' }),
      replies('a2', 'a1', call('t1'), { id: 'm' }),
      replies('a3', 'a2', call('t2'), { id: 'm' }),
      answers('r1', 'a3', 't1'),
      { type: 'attachment', uuid: 'x', parentUuid: 'r1', attachment: { type: 'date' } },
      answers('r2', 'x', 't2'),
      replies('a4', 'r2', 'done'),
      { type: 'some-day', unheardOf: true },
      replies('late', 'side', 'of a sub-agent, too', { isSidechain: true }),
    ]);
    expect(messages).toEqual([
      user(text('go')),
      assistant(said('ok'), call('t1'), call('t2')),
      user([answer('t1'), answer('t2')]),
      assistant(said('done')),
    ]);
    expect([model, permissionMode, lastUuid]).toEqual(['claude-test', 'acceptEdits', 'a4']);
    expect(entries.map(({ uuid }) => uuid)).toEqual(['u1', 'a1', 'a2', 'a3', 'r1', 'x', 'r2', 'a4']);
  });

  it('[SE10] has every result of calls that ran side by side', async () => {
    const { messages, entries } = await load([
      says('u1', null, 'go'),
      replies('a1', 'u1', call('t1'), { id: 'm' }),
      replies('a2', 'a1', call('t2'), { id: 'm' }),
      replies('a3', 'a2', call('t3'), { id: 'm' }),
      answers('r3', 'a3', 't3'),
      answers('r2', 'a2', 't2'),
      answers('r1', 'a1', 't1'),
      replies('a4', 'r1', 'done'),
    ]);
    expect(messages).toEqual([
      user(text('go')),
      assistant(call('t1'), call('t2'), call('t3')),
      user([answer('t1'), answer('t2'), answer('t3')]),
      assistant(said('done')),
    ]);
    expect(entries).toHaveLength(8);
  });

  it('[SE10] a reply that somebody went back into the middle of does not get its rest back', async () => {
    const { messages } = await load([
      says('u1', null, 'go'),
      replies('a1', 'u1', 'ok', { id: 'm' }),
      replies('a2', 'a1', call('t1'), { id: 'm' }),
      answers('r1', 'a2', 't1'),
      says('u2', 'a1', 'no, stop'),
    ]);
    expect(messages).toEqual([user(text('go')), assistant(said('ok')), user(text('no, stop'))]);
  });

  it('[SE12] closes calls that were never answered, and leaves out what the API refuses', async () => {
    const { messages } = await load([
      replies('a0', null, 'a reply to nobody'),
      answers('r0', 'a0', 'of no call'),
      says('u1', 'r0', 'go'),
      replies('a1', 'u1', { type: 'thinking', thinking: 'unsigned', signature: '' }, { id: 'm' }),
      replies('a2', 'a1', { type: 'text', text: '' }, { id: 'm' }),
      replies('a3', 'a2', call('t1'), { id: 'm' }),
      says('u2', 'a3', 'still there?'),
      replies('a4', 'u2', { type: 'thinking', thinking: 'broken off', signature: 's' }),
      replies('a5', 'a4', 'API Error: 529', { isApiErrorMessage: true }),
      says('u3', 'a5', 'a note', { isVisibleInTranscriptOnly: true }),
      replies('a6', 'u3', call('t2')),
    ]);
    const closed = (id: string) => ({
      ...answer(id, ''),
      content: expect.stringContaining('interrupted'),
      is_error: true,
    });
    expect(messages).toEqual([
      user(text('go')),
      assistant(call('t1')),
      user([closed('t1')]),
      user(text('still there?')),
      assistant(call('t2')),
      user([closed('t2')]),
    ]);
  });

  it('[SE13] begins with the summary of its last compaction, and what that kept', async () => {
    const preservedMessages = { anchorUuid: 's', uuids: ['a2'] };
    const { messages } = await load([
      says('u1', null, 'long ago'),
      replies('a1', 'u1', 'yes'),
      says('u2', 'a1', 'lately'),
      replies('a2', 'u2', 'two'),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        parentUuid: null,
        compactMetadata: { preservedMessages },
      },
      says('s', 'b', 'the summary', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      says('u3', 's', 'go on'),
    ]);
    expect(messages).toEqual([user(text('the summary')), assistant(said('two')), user(text('go on'))]);
  });

  it('[SE560] goes on however much one reply or one compaction has, and whenever its last message is dated', async () => {
    const many = 150_000;
    const folder = await sessionFolder();
    const lastDay = { timestamp: '+275760-09-13T00:00:00.000Z' };
    await folder.store(ID, [
      ...Array.from({ length: many }, (_, n) => says(`k${n}`, null, 'kept')),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        parentUuid: null,
        compactMetadata: {
          preservedMessages: { anchorUuid: 's', uuids: Array.from({ length: many }, (_, n) => `k${n}`) },
        },
      },
      says('s', 'b', 'the summary'),
      {
        ...replies('a', 's', '', lastDay),
        message: { role: 'assistant', content: Array.from({ length: many }, () => said('part')) },
      },
    ]);
    const { loaded, log } = await folder.open({ resume: { kind: 'session', sessionId: ID } });
    expect(loaded?.messages).toHaveLength(many + 2);
    expect(loaded?.messages.at(-1)?.content).toHaveLength(many);
    log.add({ type: 'user', message: user('and now?') });
    await log.flush();
    expect(folder.problems).toEqual([]);
  });

  it('[SE14] leaves damaged lines out, counts them, and keeps what was said before them', async () => {
    const { messages, damagedLines } = await load([
      says('u1', null, 'first'),
      '{"type":"assistant","uuid":"a1","parentUuid":"u1","mess',
      'null',
      '[]',
      '',
      says('u2', 'a1', 'second'),
      '{"type":"user"',
    ]);
    expect(messages).toEqual([user(text('first')), user(text('second'))]);
    expect(damagedLines).toBe(4);
  });

  it('[SE14] damage is told once, as a problem', async () => {
    const { open, store, problems } = await sessionFolder();
    await store(ID, ['{', says('u1', null, 'first')]);
    await open({ resume: { kind: 'session', sessionId: ID } });
    expect(problems).toMatchObject([{ code: 'TRANSCRIPT_DAMAGED', lines: 1 }]);
  });

  it('[SE15] goes on from the message that was asked for', async () => {
    const lines = [
      says('u1', null, 'one'),
      replies('a1', 'u1', 'first'),
      says('u2', 'a1', 'two'),
      replies('a2', 'u2', 'second'),
    ];
    const { messages, lastUuid } = await load(lines, 'a1');
    expect(messages).toEqual([user(text('one')), assistant(said('first'))]);
    expect(lastUuid).toBe('a1');
    await expect(load(lines, 'a9')).rejects.toMatchObject({
      code: 'RESUME_POINT_NOT_FOUND',
      message: 'No message found with message.uuid of: a9',
    });
  });

  it('[SE16] that is not there, or cannot be read, is named with the place', async () => {
    const { root, sessionPaths } = await sessionFolder();
    await expect(loadSession({ kind: 'session', sessionId: ID }, sessionPaths)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: `No conversation found with session ID: ${ID}. Looked in ${sessionPaths.projectFolder}.`,
    });
    const file = join(root, 'x.jsonl');
    const loading = () => loadSession({ kind: 'file', file }, sessionPaths);
    await expect(loading()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', lookedIn: file });
    await writeFile(file, '{"type":"summary"}\n');
    await expect(loading()).rejects.toMatchObject({ code: 'SESSION_UNREADABLE' });
    await mkdir(join(root, 'folder.jsonl'));
    await expect(
      loadSession({ kind: 'file', file: join(root, 'folder.jsonl') }, sessionPaths),
    ).rejects.toMatchObject({
      code: 'SESSION_UNREADABLE',
      message: expect.stringContaining('EISDIR'),
    });
  });

  it('[SE16] from a file of elsewhere brings no claims about other files', async () => {
    const { sessionPaths, store } = await sessionFolder();
    const snapshot = {
      messageId: 'u1',
      trackedFileBackups: { '/etc/hosts': { backupFileName: null, version: 1 } },
    };
    const file = await store(ID, [{ type: 'file-history-snapshot', snapshot }, says('u1', null, 'hi')]);
    expect((await loadSession({ kind: 'session', sessionId: ID }, sessionPaths)).fileHistory).toHaveLength(1);
    expect((await loadSession({ kind: 'file', file }, sessionPaths)).fileHistory).toEqual([]);
  });
});
