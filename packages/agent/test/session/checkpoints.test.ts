import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignalboxError, TranscriptEntry } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { countLineChanges } from '../../src/base/line-diff.ts';
import { FileCheckpoints } from '../../src/session/file-checkpoints.ts';
import { snapshotsIn } from '../../src/session/file-snapshots.ts';
import type { OpenSession } from '../../src/session/open-session.ts';
import { type SessionFolder, says, sessionFolder } from './session-folder.ts';

interface Work extends SessionFolder {
  session: OpenSession;
  checkpoints: FileCheckpoints;
  /** Begin a turn. Returns the uuid of its prompt. */
  turn: () => Promise<string>;
  /** Change a file as a tool does. */
  change: (name: string, content: string | null) => Promise<void>;
  read: (name: string) => Promise<string>;
}

async function atWork(folder?: SessionFolder, resume?: string): Promise<Work> {
  const place = folder ?? (await sessionFolder());
  const session = await place.open(
    resume === undefined ? {} : { resume: { kind: 'session', sessionId: resume } },
  );
  const { checkpoints, log } = session;
  if (!checkpoints) throw new Error('there should be checkpoints');
  return {
    ...place,
    session,
    checkpoints,
    async turn() {
      const uuid = log.add({ type: 'user', message: { role: 'user', content: 'go' } });
      await checkpoints.startTurn(uuid);
      return uuid;
    },
    async change(name, content) {
      const path = join(place.cwd, name);
      await checkpoints.beforeFileChange(path);
      if (content === null) await rm(path);
      else await writeFile(path, content);
    },
    read: (name) => readFile(join(place.cwd, name), 'utf8'),
  };
}

describe('checkpoints', () => {
  it('[SE24] put files back to what they were when a message was sent', async () => {
    const { cwd, turn, change, read, checkpoints } = await atWork();
    await writeFile(join(cwd, 'a'), 'one\ntwo\n');
    const first = await turn();
    await change('a', 'one\nthree\n');
    const second = await turn();
    await change('a', 'one\nfour\n');
    await change('a', 'one\nfive\nsix\n');
    const third = await turn();
    await change('b', 'fresh');

    const a = join(cwd, 'a');
    const b = join(cwd, 'b');
    const dry = (id: string) => checkpoints.rewind(id, { dryRun: true });
    expect(await dry(first)).toEqual({ canRewind: true, filesChanged: [a, b], insertions: 1, deletions: 3 });
    expect(await dry(second)).toEqual({ canRewind: true, filesChanged: [a, b], insertions: 1, deletions: 3 });
    expect(await dry(third)).toEqual({ canRewind: true, filesChanged: [b], insertions: 0, deletions: 1 });
    expect(await read('a')).toBe('one\nfive\nsix\n');

    expect(await checkpoints.rewind(second)).toEqual({ canRewind: true });
    expect(await read('a')).toBe('one\nthree\n');
    expect(existsSync(b)).toBe(false);
    expect(await dry(second)).toEqual({ canRewind: true, filesChanged: [], insertions: 0, deletions: 0 });
    await checkpoints.rewind(third);
    expect(await read('a')).toBe('one\nfive\nsix\n');
  });

  it('[SE25] bring deleted files back, with their mode and their folder', async () => {
    const { cwd, turn, change, checkpoints } = await atWork();
    await mkdir(join(cwd, 'bin'));
    await writeFile(join(cwd, 'bin/run'), '#!/bin/sh\n');
    await chmod(join(cwd, 'bin/run'), 0o750);
    await writeFile(join(cwd, 'plain'), 'x');
    const id = await turn();
    await change('bin/run', null);
    await rm(join(cwd, 'bin'), { recursive: true });
    await change('plain', 'x');
    await chmod(join(cwd, 'plain'), 0o777);
    await checkpoints.rewind(id);
    expect((await stat(join(cwd, 'bin/run'))).mode & 0o777).toBe(0o750);
    expect((await stat(join(cwd, 'plain'))).mode & 0o777).toBe(0o644);
  });

  it('[SE25] see through links when files are changed, and never write through one that came later', async () => {
    const { root, cwd, turn, change, read, checkpoints } = await atWork();
    await mkdir(join(cwd, 'real'));
    await symlink(join(cwd, 'real'), join(cwd, 'link'));
    const id = await turn();
    await change('link/new', 'one');
    await turn();
    await change('real/new', 'two');
    await writeFile(join(cwd, 'target'), 'x');
    await change('target', 'y');
    await writeFile(join(root, 'outside'), 'precious');
    await rm(join(cwd, 'target'));
    await symlink(join(root, 'outside'), join(cwd, 'target'));
    await checkpoints.rewind(id);
    expect(await readdir(join(cwd, 'real'))).toEqual([]);
    expect(await read('target')).toBe('x');
    expect(await readFile(join(root, 'outside'), 'utf8')).toBe('precious');
  });

  it('[SE25] leave alone what lies behind a folder that became a link', async () => {
    const { root, cwd, turn, change, checkpoints } = await atWork();
    await mkdir(join(cwd, 'src'));
    const id = await turn();
    await change('src/made', 'x');
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/made'), 'precious');
    await rm(join(cwd, 'src'), { recursive: true });
    await symlink(join(root, 'elsewhere'), join(cwd, 'src'));
    await checkpoints.rewind(id);
    expect(await readFile(join(root, 'elsewhere/made'), 'utf8')).toBe('precious');
  });

  it('[SE25] know what others changed between two turns', async () => {
    const { cwd, turn, change, read, checkpoints } = await atWork();
    await turn();
    await change('a', 'by the agent');
    await writeFile(join(cwd, 'a'), 'by the person');
    const id = await turn();
    await change('a', 'by the agent again');
    await checkpoints.rewind(id);
    expect(await read('a')).toBe('by the person');
  });

  it('[SE26] survive the agent, and are shared with a fork', async () => {
    const before = await atWork();
    const id = await before.turn();
    await writeFile(join(before.cwd, 'a'), 'old');
    await before.change('a', 'new');
    const { sessionId } = before.session;
    const fork = await before.open({ resume: { kind: 'session', sessionId }, fork: true });
    await rm(before.sessionPaths.backupsOf(sessionId), { recursive: true });
    await fork.checkpoints?.rewind(id);
    expect(await before.read('a')).toBe('old');

    await fork.checkpoints?.startTurn('next');
    await before.change('a', 'newer');
    const after = await atWork(before, fork.sessionId);
    expect(await after.checkpoints.rewind(id, { dryRun: true })).toMatchObject({
      filesChanged: [join(after.cwd, 'a')],
    });
    await after.checkpoints.rewind(id);
    expect(await after.read('a')).toBe('old');
  });

  it('[SE200] are what a transcript says of a turn, also when its first line comes after the update to it', () => {
    const backup = { backupFileName: null, version: 1, backupTime: '2026-01-01T00:00:00.000Z' };
    const snapshot = (trackedFileBackups: object, isSnapshotUpdate: boolean): TranscriptEntry => ({
      type: 'file-history-snapshot',
      messageId: 'm',
      snapshot: { messageId: 'm', timestamp: '', trackedFileBackups },
      isSnapshotUpdate,
    });
    const [begun, updated] = [snapshot({}, false), snapshot({ 'note.txt': backup }, true)];
    for (const entries of [
      [begun, updated],
      [updated, begun],
    ])
      expect(snapshotsIn(entries, '/work').get('m')?.files).toEqual(new Map([['/work/note.txt', backup]]));
    const undone = [updated, snapshot({}, true)];
    expect(snapshotsIn(undone, '/work').get('m')?.files).toEqual(new Map());
  });

  it('[SE26] are on disk, for their owner only, before the file is changed', async () => {
    const { cwd, sessionPaths, session, turn, checkpoints } = await atWork();
    await writeFile(join(cwd, 'a'), 'secret');
    await turn();
    await checkpoints.beforeFileChange(join(cwd, 'a'));
    const folder = sessionPaths.backupsOf(session.sessionId);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = ''] = await readdir(folder);
    expect(await readFile(join(folder, name), 'utf8')).toBe('secret');
    expect(await readFile(sessionPaths.transcriptOf(session.sessionId), 'utf8')).toContain(
      `"backupFileName":"${name}"`,
    );
  });

  it('[SE27] skip a file that is too large, and say so; the change goes on', async () => {
    const { cwd, turn, change, read, checkpoints, problems } = await atWork();
    await writeFile(join(cwd, 'huge'), '');
    await truncate(join(cwd, 'huge'), 17 * 1024 * 1024);
    const id = await turn();
    await change('huge', 'small');
    await change('other', 'made');
    expect(problems).toMatchObject([{ code: 'CHECKPOINT_SKIPPED', cause: { code: 'CHECKPOINT_LIMIT' } }]);
    await checkpoints.rewind(id);
    expect(await read('huge')).toBe('small');
    expect(existsSync(join(cwd, 'other'))).toBe(false);
  });

  it('[SE27] hold 500 files and the newest 100 turns, and throw away the copies of older ones', async () => {
    const { cwd, sessionPaths, session, turn, change, checkpoints, problems } = await atWork();
    const ids: string[] = [];
    for (let n = 0; n < 105; n += 1) {
      ids.push(await turn());
      await change('a', `version ${n}`);
    }
    await expect(checkpoints.rewind(ids[4] ?? '')).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_FOUND' });
    expect(await checkpoints.rewind(ids[5] ?? '', { dryRun: true })).toMatchObject({
      filesChanged: [join(cwd, 'a')],
    });
    expect(await readdir(sessionPaths.backupsOf(session.sessionId))).toHaveLength(100);
    for (let n = 0; n < 500; n += 1) await checkpoints.beforeFileChange(join(cwd, `file${n}`));
    expect(problems).toMatchObject([
      { code: 'CHECKPOINT_SKIPPED', message: expect.stringContaining('file499') },
    ]);
  });

  it('[SE27] forget the oldest turns when their copies take too much, but never the current one', async () => {
    const { cwd, sessionPaths, session, problems } = await atWork();
    const { log, sessionId } = session;
    const onSkip = (problem: SignalboxError): void => void problems.push(problem);
    const checkpoints = new FileCheckpoints({
      folder: sessionPaths.backupsOf(sessionId),
      cwd,
      log,
      limitBytes: 20,
      onSkip,
    });
    const change = async (name: string): Promise<void> => {
      await checkpoints.beforeFileChange(join(cwd, name));
      await writeFile(join(cwd, name), crypto.randomUUID().slice(0, 10));
    };
    for (const turn of ['1', '2', '3', '4', '5']) {
      await checkpoints.startTurn(turn);
      await change('a');
    }
    await expect(checkpoints.rewind('2')).rejects.toMatchObject({ code: 'CHECKPOINT_NOT_FOUND' });
    expect(await checkpoints.rewind('5')).toEqual({ canRewind: true });
    expect(problems).toEqual([]);
    for (const name of ['b', 'c', 'd']) await writeFile(join(cwd, name), '0123456789');
    for (const name of ['b', 'c', 'd']) await change(name);
    expect(problems).toMatchObject([{ code: 'CHECKPOINT_SKIPPED' }, { code: 'CHECKPOINT_SKIPPED' }]);
    expect(await readdir(sessionPaths.backupsOf(sessionId))).toHaveLength(2);
  });

  it('[SE28] of a message that has none: the answer that hosts know', async () => {
    const { turn, checkpoints } = await atWork();
    await turn();
    await expect(checkpoints.rewind('nope', { dryRun: true })).rejects.toThrow(
      'No file checkpoint found for this message.',
    );
  });

  it('[SE29] that cannot be put back are named, and the others are put back', async () => {
    const { cwd, turn, change, read, checkpoints } = await atWork();
    for (const name of ['a', 'b']) await writeFile(join(cwd, name), 'old');
    const id = await turn();
    for (const name of ['a', 'b']) await change(name, 'new');
    await rm(join(cwd, 'a'));
    await mkdir(join(cwd, 'a'));
    await writeFile(join(cwd, 'a', 'inside'), 'precious');
    await expect(checkpoints.rewind(id)).rejects.toMatchObject({
      code: 'REWIND_FAILED',
      paths: [join(cwd, 'a')],
    });
    expect(await read('b')).toBe('old');
    expect(await read('a/inside')).toBe('precious');
  });

  it('[SE25] do not mix up files that tools change side by side', async () => {
    const { cwd, turn, read, checkpoints } = await atWork();
    const names = Array.from({ length: 20 }, (_, n) => `f${n}`);
    for (const name of names) await writeFile(join(cwd, name), name);
    const id = await turn();
    await Promise.all(
      [...names, ...names, ...names].map(async (name) => {
        await checkpoints.beforeFileChange(join(cwd, name));
        await writeFile(join(cwd, name), 'changed');
      }),
    );
    await checkpoints.rewind(id);
    expect(await Promise.all(names.map(read))).toEqual(names);
  });

  it('[SE25] take no copy from outside of their folder, whatever a transcript says', async () => {
    const folder = await sessionFolder();
    const sessionId = crypto.randomUUID();
    await mkdir(folder.sessionPaths.backupsOf(sessionId), { recursive: true });
    await writeFile(join(folder.sessionPaths.configDir, 'planted'), 'planted');
    await writeFile(join(folder.cwd, 'a'), 'mine');
    const backup = { backupFileName: '../../planted', version: 1, backupTime: '2026-01-01T00:00:00.000Z' };
    const snapshot = { messageId: 'u1', trackedFileBackups: { a: backup } };
    await folder.store(sessionId, [{ type: 'file-history-snapshot', snapshot }, says('u1', null, 'hi')]);
    const { checkpoints, read } = await atWork(folder, sessionId);
    expect(await checkpoints.rewind('u1', { dryRun: true })).toMatchObject({ filesChanged: [] });
    await checkpoints.rewind('u1');
    expect(await read('a')).toBe('mine');
  });
});

describe('countLineChanges', () => {
  it.each([
    ['', '', 0, 0],
    ['a\nb\n', 'a\nb\n', 0, 0],
    ['', 'a', 1, 0],
    ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
    ['a\nb\nc\nd\n', 'b\nc\nd\ne\n', 1, 1],
    ['a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n', 2, 3],
    ['a\n', 'a', 1, 1],
    ['a\na\n', 'a\n', 0, 1],
  ])('[SE24] %j becomes %j', (before, after, insertions, deletions) => {
    expect(countLineChanges(before, after)).toEqual({ insertions, deletions });
  });

  it('[SE24] counts texts that have nothing in common as replaced, in time', () => {
    const lines = (letter: string) => Array.from({ length: 20_000 }, (_, n) => `${letter}${n}\n`).join('');
    expect(countLineChanges(lines('a'), lines('b'))).toEqual({ insertions: 20_000, deletions: 20_000 });
  });
});
