import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TranscriptEntry } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { builtProgram } from '../../../../test/programs.ts';
import { readTranscript } from '../../src/session/read-transcript.ts';
import { entriesOf, says, sessionFolder } from './session-folder.ts';

const said = (content: string) => ({ type: 'user' as const, message: { role: 'user', content } });

describe('a transcript', () => {
  it('[SE3] has a line for each message, with its place in the conversation', async () => {
    const { sessionPaths, cwd, open } = await sessionFolder();
    const { log, sessionId } = await open();
    expect(existsSync(sessionPaths.projectFolder)).toBe(false);
    const first = log.add({ ...said('hello'), permissionMode: 'plan' });
    const second = log.add({ type: 'assistant', uuid: 'given', message: { role: 'assistant', content: [] } });
    log.addNote({ type: 'summary', summary: 'a note', leafUuid: second });
    await log.flush();
    expect(second).toBe('given');
    const common = {
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version: '2.1.37',
      gitBranch: 'HEAD',
    };
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await entriesOf(sessionPaths.transcriptOf(sessionId))).toEqual([
      { ...common, parentUuid: null, ...said('hello'), permissionMode: 'plan', uuid: first, timestamp },
      {
        ...common,
        parentUuid: first,
        type: 'assistant',
        message: { role: 'assistant', content: [] },
        uuid: 'given',
        timestamp,
      },
      { type: 'summary', summary: 'a note', leafUuid: 'given' },
    ]);
  });

  it('[SE3] can be read by its owner only', async () => {
    const { sessionPaths, open } = await sessionFolder();
    const { log, sessionId } = await open();
    log.add(said('secret'));
    await log.flush();
    const file = sessionPaths.transcriptOf(sessionId);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (let folder = dirname(file); folder !== dirname(sessionPaths.configDir); folder = dirname(folder)) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    }
  });

  it('[SE4] each message is later than the one before it, also after a clock was set back', async () => {
    const { sessionPaths, open, store } = await sessionFolder();
    const sessionId = crypto.randomUUID();
    await store(sessionId, [says('u1', null, 'from the future', { timestamp: '2999-01-01T00:00:00.000Z' })]);
    const { log } = await open({ resume: { kind: 'session', sessionId } });
    log.add(said('one'));
    log.add(said('two'));
    await log.flush();
    const entries = await entriesOf(sessionPaths.transcriptOf(sessionId));
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([
      '2999-01-01T00:00:00.000Z',
      '2999-01-01T00:00:00.001Z',
      '2999-01-01T00:00:00.002Z',
    ]);
  });

  it('[SE4] keeps the order in which lines were added, whenever they were', async () => {
    const { sessionPaths, open } = await sessionFolder();
    const { log, sessionId } = await open();
    for (let n = 0; n < 500; n += 1) {
      log.addNote({ type: 'n', n });
      if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (n % 50 === 0) await log.flush();
    }
    await log.flush();
    const entries = await entriesOf(sessionPaths.transcriptOf(sessionId));
    expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
  });

  it('[SE5] never glues a line to one that was cut short', async () => {
    const { sessionPaths, open } = await sessionFolder();
    const { log, sessionId } = await open();
    const file = sessionPaths.transcriptOf(sessionId);
    log.add(said('before'));
    await log.flush();
    await appendFile(file, '{"type":"user","uuid":"torn","mess');
    log.add(said('after'));
    await log.flush();
    const entries: TranscriptEntry[] = [];
    expect(await readTranscript(file, (entry) => entries.push(entry))).toBe(1);
    expect(entries.map(({ message }) => message)).toMatchObject([
      { content: 'before' },
      { content: 'after' },
    ]);
  });

  it('[SE5] loses nothing that was flushed when its process is killed', async () => {
    const { root } = await sessionFolder();
    const file = join(root, 'killed.jsonl');
    const script = builtProgram('packages/agent/test/session/appending-child.ts');
    for (const delayMs of [40, 75, 110]) {
      await rm(file, { force: true });
      const child = spawn(process.execPath, [script, file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(child, 'close');
      let told = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await closed;
      const entries: TranscriptEntry[] = [];
      const damaged = await readTranscript(file, (entry) => entries.push(entry));
      const safe = Number(told.trimEnd().split('\n').at(-1));
      expect(damaged).toBeLessThanOrEqual(1);
      expect(entries.length).toBeGreaterThan(safe);
      expect(entries.map(({ n }) => n)).toEqual(entries.map((_, n) => n));
    }
  });

  it('[SE6] says once that it cannot be written, and catches up when it can', async () => {
    const { sessionPaths, open, problems } = await sessionFolder();
    const { log, sessionId } = await open();
    const file = sessionPaths.transcriptOf(sessionId);
    await mkdir(file, { recursive: true });
    for (const word of ['one', 'two', 'three']) {
      log.add(said(word));
      await log.flush();
    }
    expect(problems).toMatchObject([
      { code: 'TRANSCRIPT_WRITE_FAILED', message: expect.stringContaining(file) },
    ]);
    await rm(file, { recursive: true });
    log.add(said('four'));
    await log.flush();
    const entries = await entriesOf(file);
    expect(entries.map(({ message }) => message)).toMatchObject(
      ['one', 'two', 'three', 'four'].map((content) => ({ content })),
    );
    expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...entries.slice(0, 3).map(({ uuid }) => uuid),
    ]);
    expect(problems).toHaveLength(1);
  });

  it.runIf(existsSync('/dev/full'))(
    '[SE6][SE7] a full disk stops neither the session nor grows its memory',
    async () => {
      const { sessionPaths, open, problems } = await sessionFolder();
      const { log, sessionId } = await open();
      await mkdir(sessionPaths.projectFolder, { recursive: true });
      await symlink('/dev/full', sessionPaths.transcriptOf(sessionId));
      for (let n = 0; n < 10; n += 1) {
        log.add(said('x'.repeat(8 * 1024 * 1024)));
        await log.flush();
      }
      expect(problems.map(({ code }) => code)).toEqual(['TRANSCRIPT_WRITE_FAILED', 'TRANSCRIPT_LOST']);
      expect(problems[0]?.message).toContain('ENOSPC');
    },
  );

  it('[SE8] without persistence nothing is written', async () => {
    const { root, open, sessionPaths } = await sessionFolder();
    const { log, checkpoints } = await open({ isPersistent: false });
    expect(log.add({ ...said('hello'), uuid: 'a' })).toBe('a');
    log.addNote({ type: 'note' });
    await log.flush();
    expect(log.lastUuid).toBe('a');
    expect(checkpoints).toBeUndefined();
    expect(existsSync(sessionPaths.configDir)).toBe(false);
    expect(await readdir(root)).toEqual(['project']);
  });

  it('[SE3] names the branch that is checked out', async () => {
    const { cwd, sessionPaths, open } = await sessionFolder();
    await mkdir(join(cwd, '.git'));
    await appendFile(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/feature/x\n');
    const { log, sessionId } = await open();
    log.add(said('hello'));
    await log.flush();
    expect(await readFile(sessionPaths.transcriptOf(sessionId), 'utf8')).toContain('"gitBranch":"feature/x"');
  });
});
