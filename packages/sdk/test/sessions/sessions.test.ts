import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectKey } from '@signalbox/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  deleteSession,
  exportSession,
  FileSessionStore,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  InMemorySessionStore,
  importSessionToStore,
  listSessions,
  listSubagents,
  renameSession,
  type SessionStore,
  tagSession,
} from '../../src/index.ts';
import {
  CONVERSATION,
  CWD,
  entry,
  KEY,
  replied,
  STORES,
  said,
  temporaryFolder,
  text,
  uuid,
} from './stored-session.ts';

const ID = KEY.sessionId;

async function filled(store: SessionStore): Promise<{ dir: string; sessionStore: SessionStore }> {
  await store.append(KEY, CONVERSATION);
  return { dir: CWD, sessionStore: store };
}

afterEach(() => vi.unstubAllEnvs());

describe.each(STORES)('sessions in %s', (_name, open) => {
  it('[SD110] a session is described by its title, else a summary, else its first prompt', async () => {
    const location = await filled(await open());
    expect(await listSessions(location)).toMatchObject([
      {
        sessionId: ID,
        summary: 'what is it?',
        firstPrompt: 'what is it?',
        gitBranch: 'main',
        cwd: CWD,
        createdAt: Date.UTC(2026, 0, 1, 0, 0, 1),
      },
    ]);
    await location.sessionStore.append(KEY, [{ type: 'summary', summary: 'a summary' }]);
    expect((await getSessionInfo(ID, location))?.summary).toBe('a summary');
    await renameSession(ID, ' A title ', location);
    expect(await getSessionInfo(ID, location)).toMatchObject({ summary: 'A title', customTitle: 'A title' });
  });

  it('[SD110] what agents wrote themselves is no first prompt, and a session without one is not listed', async () => {
    const store = await open();
    await store.append(KEY, [
      said(1, '<local-command-stdout>done</local-command-stdout>'),
      said(2, 'a reminder', { isMeta: true }),
    ]);
    const location = { dir: CWD, sessionStore: store };
    expect(await listSessions(location)).toEqual([]);
    await store.append(KEY, [said(3, [text('the real one')])]);
    expect(await listSessions(location)).toMatchObject([{ firstPrompt: 'the real one' }]);
    await store.append({ ...KEY, sessionId: uuid(901) }, [said(1, 'aside', { isSidechain: true })]);
    expect(await getSessionInfo(uuid(901), location)).toBeUndefined();
  });

  it('[SD111] the newest come first, a page at a time, of one folder or of all', async () => {
    const store = await open();
    for (const n of [1, 2, 3]) {
      await store.append({ ...KEY, sessionId: uuid(900 + n) }, [said(1, `prompt ${n}`)]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await store.append({ projectKey: 'elsewhere', sessionId: uuid(904) }, [said(1, 'prompt 4')]);
    const location = { dir: CWD, sessionStore: store };
    const names = async (options: object): Promise<string[]> =>
      (await listSessions({ ...location, ...options })).map(({ summary }) => summary);
    expect(await names({})).toEqual(['prompt 3', 'prompt 2', 'prompt 1']);
    expect(await names({ limit: 1, offset: 1 })).toEqual(['prompt 2']);
    const everywhere = await listSessions({ sessionStore: store });
    expect(everywhere.length).toBe(4);
  });

  it('[SD112] sessions of programs can be left out', async () => {
    const location = await filled(await open());
    const key = { ...KEY, sessionId: uuid(901) };
    await location.sessionStore.append(key, [said(1, 'by a program', { entrypoint: 'sdk-ts' })]);
    expect((await listSessions(location)).length).toBe(2);
    const people = await listSessions({ ...location, includeProgrammatic: false });
    expect(people.map(({ sessionId }) => sessionId)).toEqual([ID]);
  });

  it('[SD113] a conversation is read from its newest message back, without branches that were left', async () => {
    const store = await open();
    const calls = { id: 'm', type: 'message', role: 'assistant', model: 'x' };
    await store.append(KEY, [
      said(1, 'question'),
      replied(2, text('a branch that was left')),
      said(3, 'meta', { parentUuid: uuid(1), isMeta: true }),
      entry(4, 'assistant', { message: { ...calls, content: [{ type: 'tool_use', id: 'a' }] } }),
      entry(5, 'assistant', { message: { ...calls, content: [{ type: 'tool_use', id: 'b' }] } }),
      said(6, [{ type: 'tool_result', tool_use_id: 'a' }], { parentUuid: uuid(4) }),
      said(7, [{ type: 'tool_result', tool_use_id: 'b' }], { parentUuid: uuid(5) }),
      replied(8, text('done')),
    ]);
    const messages = await getSessionMessages(ID, { dir: CWD, sessionStore: store });
    expect(messages.map((message) => message.uuid)).toEqual([1, 4, 5, 6, 7, 8].map(uuid));
    expect(messages[0]).toEqual({
      type: 'user',
      uuid: uuid(1),
      session_id: ID,
      message: { role: 'user', content: 'question' },
      parent_tool_use_id: null,
      parent_agent_id: null,
      timestamp: '2026-01-01T00:00:01.000Z',
    });
  });

  it('[SD113] system messages come on request, and pages where they are asked for', async () => {
    const location = await filled(await open());
    const types = async (options: object): Promise<string[]> =>
      (await getSessionMessages(ID, { ...location, ...options })).map(({ type }) => type);
    expect(await types({})).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(await types({ includeSystemMessages: true, offset: 2 })).toEqual(['user', 'system', 'assistant']);
    expect(await types({ limit: 1 })).toEqual(['user']);
  });

  it('[SD114] sub-agents are listed, and read like sessions', async () => {
    const location = await filled(await open());
    const aside = { isSidechain: true };
    await location.sessionStore.append({ ...KEY, subpath: 'subagents/agent-7f' }, [
      said(1, 'look', aside),
      replied(2, text('seen'), aside),
    ]);
    expect(await listSubagents(ID, location)).toEqual(['7f']);
    const messages = await getSubagentMessages(ID, '7f', location);
    expect(messages.map(({ type }) => type)).toEqual(['user', 'assistant']);
  });

  it('[SD115] a fork is a copy with uuids of its own, up to a message where one is named', async () => {
    const location = await filled(await open());
    const { sessionId } = await forkSession(ID, location);
    const copy = await getSessionMessages(sessionId, { ...location, includeSystemMessages: true });
    const original = await getSessionMessages(ID, { ...location, includeSystemMessages: true });
    expect(copy.map(({ message }) => message)).toEqual(original.map(({ message }) => message));
    expect(copy.filter((one) => original.some((other) => other.uuid === one.uuid))).toEqual([]);
    expect((await getSessionInfo(sessionId, location))?.summary).toBe('what is it? (fork)');
    const entries = await location.sessionStore.load({ ...KEY, sessionId });
    expect(entries?.[0]).toMatchObject({ sessionId, forkedFrom: { sessionId: ID, messageUuid: uuid(1) } });

    const short = await forkSession(ID, { ...location, upToMessageId: uuid(2), title: 'Half way' });
    expect((await getSessionMessages(short.sessionId, location)).length).toBe(2);
    expect((await getSessionInfo(short.sessionId, location))?.summary).toBe('Half way');
    await expect(forkSession(ID, { ...location, upToMessageId: uuid(77) })).rejects.toMatchObject({
      code: 'SESSION_MESSAGE_NOT_FOUND',
    });
  });

  it('[SD115] a fork renames what refers to its messages, and nothing that was said', async () => {
    const store = await open();
    const quoted = { role: 'user', content: uuid(1) };
    await store.append(KEY, [
      said(1, 'x'),
      entry(2, 'user', { message: quoted, sourceUuid: uuid(1), nested: { uuids: [uuid(1), 'other'] } }),
    ]);
    const { sessionId } = await forkSession(ID, { dir: CWD, sessionStore: store });
    const [first, second] = (await store.load({ ...KEY, sessionId })) ?? [];
    expect(second).toMatchObject({
      message: quoted,
      parentUuid: first?.uuid,
      sourceUuid: first?.uuid,
      nested: { uuids: [first?.uuid, 'other'] },
    });
  });

  it('[SD116] a session is renamed, tagged and deleted', async () => {
    const location = await filled(await open());
    await tagSession(ID, 'blue', location);
    expect((await getSessionInfo(ID, location))?.tag).toBe('blue');
    await tagSession(ID, null, location);
    expect((await getSessionInfo(ID, location))?.tag).toBeUndefined();
    await expect(renameSession(ID, '  ', location)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
    await expect(tagSession(ID, '', location)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
    await deleteSession(ID, location);
    expect(await getSessionInfo(ID, location)).toBeUndefined();
    expect(await getSessionMessages(ID, location)).toEqual([]);
  });

  it('[SD117] changing a session that is not there says so; reading it gives nothing', async () => {
    const location = await filled(await open());
    for (const id of [uuid(1), '../x']) {
      const missing = expect.objectContaining({ code: 'SESSION_NOT_FOUND' });
      await expect(renameSession(id, 'x', location)).rejects.toEqual(missing);
      await expect(deleteSession(id, location)).rejects.toEqual(missing);
      await expect(forkSession(id, location)).rejects.toEqual(missing);
      await expect(exportSession(id, location)).rejects.toEqual(missing);
      expect(await getSessionInfo(id, location)).toBeUndefined();
      expect(await getSessionMessages(id, location)).toEqual([]);
    }
  });

  it('[SD118] an export as JSONL is every entry', async () => {
    const location = await filled(await open());
    const lines = (await exportSession(ID, location)).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(CONVERSATION);
  });

  it('[SD118] an export as Markdown is the conversation, whatever was said in it', async () => {
    const store = await open();
    await store.append(KEY, [
      said(1, 'run it'),
      replied(2, { type: 'thinking', thinking: 'one\ntwo' }),
      replied(3, { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } }),
      said(4, [{ type: 'tool_result', tool_use_id: 'a', content: [text('```\nfile\n```')] }]),
      replied(5, text('Done.')),
    ]);
    const markdown = await exportSession(ID, { dir: CWD, sessionStore: store, format: 'markdown' });
    expect(markdown).toBe(
      [
        '# run it',
        `Session ${ID} · ${CWD} · main`,
        '## User',
        'run it',
        '## Assistant',
        '> one\n> two',
        '**Bash**',
        '```json\n{\n  "command": "ls"\n}\n```',
        '````\n```\nfile\n```\n````',
        'Done.\n',
      ].join('\n\n'),
    );
  });
});

describe('a session that somebody forged', () => {
  it('[SD560] is exported as Markdown however many fences are in it', async () => {
    const sessionStore = new InMemorySessionStore();
    const input = { command: '` '.repeat(200_000) };
    await sessionStore.append(KEY, [
      said(1, 'go'),
      replied(2, { type: 'tool_use', id: 'a', name: 'x', input }),
    ]);
    const markdown = await exportSession(ID, { dir: CWD, sessionStore, format: 'markdown' });
    expect(markdown).toContain('```json');
  });
});

describe('sessions of this machine', () => {
  it('[SD119] without a store, the transcripts of claude are read and changed', async () => {
    const config = await temporaryFolder();
    vi.stubEnv('CLAUDE_CONFIG_DIR', config);
    await new FileSessionStore().append(KEY, CONVERSATION);
    const file = join(config, 'projects', KEY.projectKey, `${ID}.jsonl`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await renameSession(ID, 'Found without its folder');
    expect(await listSessions()).toMatchObject([
      { summary: 'Found without its folder', fileSize: (await stat(file)).size },
    ]);
    const memory = new InMemorySessionStore();
    await importSessionToStore(ID, memory, { batchSize: 2 });
    expect((await memory.load(KEY))?.slice(0, 5)).toEqual(CONVERSATION);
  });

  it('[SD119] a line that was cut short costs no other', async () => {
    vi.stubEnv('CLAUDE_CONFIG_DIR', await temporaryFolder());
    const store = new FileSessionStore();
    await store.append(KEY, CONVERSATION);
    await appendFile(
      join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', KEY.projectKey, `${ID}.jsonl`),
      '{"type":"user","uu',
    );
    await renameSession(ID, 'After the tear');
    expect((await getSessionInfo(ID))?.summary).toBe('After the tear');
    expect((await getSessionMessages(ID)).length).toBe(4);
  });

  it('[SD1542] one session is described from its own file, whatever else lies in the folder', async () => {
    const projects = await temporaryFolder();
    const store = new FileSessionStore(projects);
    await store.append(KEY, CONVERSATION);
    vi.spyOn(store, 'listSessions').mockRejectedValue(new Error('the others were looked at'));
    const location = { dir: CWD, sessionStore: store };
    expect(await getSessionInfo(ID, location)).toMatchObject({ summary: 'what is it?' });
    execFileSync('mkfifo', [join(projects, KEY.projectKey, `${uuid(902)}.jsonl`)]);
    expect(await getSessionInfo(uuid(902), location)).toBeUndefined();
  });

  it('[SD120] a list reads the ends of a long transcript, not its middle', async () => {
    const projects = await temporaryFolder();
    const folder = join(projects, KEY.projectKey);
    await mkdir(folder);
    const file = join(folder, `${ID}.jsonl`);
    const line = (one: object): string => `${JSON.stringify(one)}\n`;
    // As an entry it would be a title: whoever reads the middle would see it.
    const middle = line({ type: 'custom-title', customTitle: 'from the middle' });
    const filler = line({ type: 'filler', text: 'x'.repeat(1000) }).repeat(200);
    await writeFile(
      file,
      line(said(1, 'first words')) + filler + middle + filler + line(said(2, 'last words')),
    );
    const location = { dir: CWD, sessionStore: new FileSessionStore(projects) };
    expect(await listSessions(location)).toMatchObject([{ summary: 'first words' }]);
    await renameSession(ID, 'at the end', location);
    expect(await listSessions(location)).toMatchObject([{ summary: 'at the end' }]);
  });

  it('[SD121] the list of a folder has the sessions of its other working trees', async () => {
    const folder = await temporaryFolder();
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      execFileSync('git', [...identity, ...args], { cwd: join(folder, 'main'), stdio: 'ignore' });
    };
    await mkdir(join(folder, 'main'));
    git('init');
    git('commit', '--allow-empty', '-m', 'first');
    git('worktree', 'add', join(folder, 'other'));
    const store = new InMemorySessionStore();
    const key = { projectKey: projectKey(join(folder, 'other')), sessionId: ID };
    await store.append(key, CONVERSATION);
    const location = { dir: join(folder, 'main'), sessionStore: store };
    expect((await listSessions(location)).length).toBe(1);
    expect(await listSessions({ ...location, includeWorktrees: false })).toEqual([]);
  });
});
