import { appendFile, mkdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSessions } from '../../src/session/list-sessions.ts';
import { answers, call, entriesOf, replies, says, sessionFolder, text } from './session-folder.ts';

const OLD = '5b02a388-55b8-4280-9c3b-e2a704c01cd5';
const NEW = '66753dd3-392a-4b6f-926c-da60cd1439d9';

const said = (content: string) => ({ type: 'user' as const, message: { role: 'user', content } });

describe('openSession', () => {
  it('[SE17] goes on with the newest session of this folder in which something was said', async () => {
    const { open, store, sessionPaths } = await sessionFolder();
    await expect(open({ resume: 'newest' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: `No conversation found to continue. Looked in ${sessionPaths.projectFolder}.`,
    });
    const silent = await store(crypto.randomUUID(), [{ type: 'summary', summary: 'silent' }]);
    const newer = await store(NEW, [says('n', null, 'newer')]);
    const older = await store(OLD, [says('o', null, 'older')]);
    await utimes(silent, 3000, 3000);
    await utimes(newer, 2000, 2000);
    await utimes(older, 1000, 1000);
    const { sessionId, loaded, log } = await open({ resume: 'newest' });
    expect([sessionId, log.lastUuid, loaded?.messages]).toEqual([
      NEW,
      'n',
      [{ role: 'user', content: text('newer') }],
    ]);
    log.add(said('more'));
    await log.flush();
    expect(await entriesOf(newer)).toMatchObject([{ uuid: 'n' }, { parentUuid: 'n', sessionId: NEW }]);
  });

  it('[SE18] a fork is a session of its own, and leaves the old one as it was', async () => {
    const { open, store, sessionPaths } = await sessionFolder();
    const file = await store(OLD, [
      says('u1', null, 'go', { sessionId: OLD, someDay: [1] }),
      replies('a1', 'u1', call('t1'), { id: 'm' }),
      replies('a2', 'a1', call('t2'), { id: 'm' }),
      answers('r2', 'a2', 't2'),
      answers('r1', 'a1', 't1'),
      says('branch', 'u1', 'another way'),
      replies('a3', 'r1', 'done'),
    ]);
    const before = await readFile(file, 'utf8');
    const fork = await open({ resume: { kind: 'session', sessionId: OLD }, fork: true, sessionId: NEW });
    fork.log.add(said('forked'));
    await fork.log.flush();
    const entries = await entriesOf(sessionPaths.transcriptOf(NEW));
    expect(entries.map(({ uuid }) => uuid).slice(0, -1)).toEqual(['u1', 'a1', 'a2', 'r2', 'r1', 'a3']);
    expect(entries[0]).toMatchObject({ someDay: [1] });
    expect(entries.every(({ sessionId }) => sessionId === NEW)).toBe(true);
    expect(entries.at(-1)).toMatchObject({ parentUuid: 'a3' });
    expect(await readFile(file, 'utf8')).toBe(before);
    const again = await open({ resume: { kind: 'session', sessionId: NEW } });
    expect(again.loaded?.messages.slice(0, -1)).toEqual(fork.loaded?.messages);
  });

  it('[SE18] a file is resumed as a new session with all that the file says', async () => {
    const { open, root, sessionPaths } = await sessionFolder();
    const file = join(root, 'sent-by-mail.jsonl');
    await writeFile(file, `${JSON.stringify(says('u1', null, 'hello'))}\n`);
    const { sessionId } = await open({ resume: { kind: 'file', file }, sessionId: NEW });
    expect(sessionId).toBe(NEW);
    expect(await entriesOf(sessionPaths.transcriptOf(NEW))).toMatchObject([{ uuid: 'u1', sessionId: NEW }]);
  });

  it('[SE18] a fork that cannot be written goes on in memory', async () => {
    const { open, root, sessionPaths, problems } = await sessionFolder();
    const file = join(root, 'old.jsonl');
    await writeFile(file, `${JSON.stringify(says('u1', null, 'hello'))}\n`);
    await mkdir(sessionPaths.configDir, { recursive: true });
    await writeFile(join(sessionPaths.configDir, 'projects'), 'in the way');
    const { log, loaded } = await open({ resume: { kind: 'file', file } });
    log.add(said('on'));
    await log.flush();
    expect(loaded?.messages).toHaveLength(1);
    expect(problems).toMatchObject([{ code: 'TRANSCRIPT_WRITE_FAILED' }]);
  });

  it('[SE19] a new session does not write into another', async () => {
    const { open, store } = await sessionFolder();
    await store(OLD, [says('u1', null, 'mine')]);
    await expect(open({ sessionId: OLD })).rejects.toMatchObject({ code: 'SESSION_ID_IN_USE' });
  });
});

describe('listSessions', () => {
  it('[SE20] tells what each session is about, the newest first', async () => {
    const { store, sessionPaths } = await sessionFolder();
    expect(await listSessions(sessionPaths)).toEqual([]);
    const old = await store(OLD, [
      { type: 'queue-operation' },
      says('m', null, 'a caveat', { isMeta: true }),
      says('u1', 'm', 'fix the signal', { gitBranch: 'main', cwd: '/project' }),
      { type: 'summary', summary: 'Signals fixed' },
    ]);
    await utimes(old, 1000, 1000);
    await store(NEW, [says('u1', null, 'paint the box'), { type: 'custom-title', customTitle: 'Paint' }]);
    await store('not-a-session', [says('u1', null, 'x')]);
    expect(await listSessions(sessionPaths)).toMatchObject([
      { sessionId: NEW, summary: 'Paint', customTitle: 'Paint', firstPrompt: 'paint the box' },
      {
        sessionId: OLD,
        summary: 'Signals fixed',
        firstPrompt: 'fix the signal',
        gitBranch: 'main',
        lastModified: 1e6,
      },
    ]);
    expect(await listSessions(sessionPaths, { limit: 1 })).toHaveLength(1);
  });

  it('[AG706] names a session by its title, else by what was said last', async () => {
    const { store, sessionPaths } = await sessionFolder();
    const talk = [says('u1', null, 'first'), { type: 'summary', summary: 'about it' }];
    const last = { type: 'last-prompt', lastPrompt: 'last' };
    await store(OLD, [...talk, last]);
    await store(NEW, [...talk, { type: 'ai-title', aiTitle: 'The gate' }, last]);
    const names = (await listSessions(sessionPaths)).map(({ sessionId, summary }) => [sessionId, summary]);
    expect(new Map(names.map(([id, name]) => [id, name]))).toEqual(
      new Map([
        [OLD, 'last'],
        [NEW, 'The gate'],
      ]),
    );
  });

  it('[SE20] reads the two ends of a transcript, however long it is', async () => {
    const { store, sessionPaths } = await sessionFolder();
    const file = await store(NEW, [says('u1', null, 'the first')]);
    // A hole of 50 GB: nobody reads that within a test.
    await truncate(file, 50 * 1024 ** 3);
    await appendFile(file, `\n${JSON.stringify({ type: 'summary', summary: 'the last' })}\n`);
    expect(await listSessions(sessionPaths)).toMatchObject([
      { summary: 'the last', firstPrompt: 'the first' },
    ]);
  });
});
