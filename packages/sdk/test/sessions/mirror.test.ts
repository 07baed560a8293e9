import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { describe, expect, it, vi } from 'vitest';
import {
  InMemorySessionStore,
  type Options,
  query,
  type SDKMessage,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
} from '../../src/index.ts';
import { projectKeysOf } from '../../src/sessions/session-paths.ts';
import { collect, type FakeAgent, fakeAgent, OBEDIENT, prompt, thrownBy } from '../fake-agent.ts';
import { said, uuid } from './stored-session.ts';

const SESSION = uuid(900);

/** Says what it writes to a transcript, as agents do that are asked to. */
const WRITES = `
const write = (path, ...entries) => out({ type: 'transcript_mirror', filePath: '/far/away/projects/p/' + path + '.jsonl', entries });
const note = (text) => ({ type: 'note', text });
`;

interface Call {
  key: SessionKey;
  entries: SessionStoreEntry[];
}

/** A store that remembers how it was called, and refuses as often as it is told. */
class WatchedStore extends InMemorySessionStore {
  readonly calls: Call[] = [];
  refusals = 0;

  override async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    this.calls.push({ key, entries });
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new Error('the disk is full');
    }
    await super.append(key, entries);
  }

  /** What was appended, call by call. */
  get texts(): unknown[][] {
    return this.calls.map(({ entries }) => entries.map(({ text }) => text));
  }
}

function kinds(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) => ('subtype' in message ? message.subtype : message.type));
}

async function agentWithSession(options: Options = {}): Promise<{ agent: FakeAgent; options: Options }> {
  const agent = await fakeAgent(`
    const { readFileSync, existsSync } = await import('node:fs');
    const resumed = process.argv.find((arg) => arg.startsWith('--resume='))?.slice(9);
    const folder = process.env.CLAUDE_CONFIG_DIR + '/projects/' + process.env.KEY + '/' + resumed;
    const read = (path) => existsSync(path) ? readFileSync(path, 'utf8').trim().split('\\n').map((line) => JSON.parse(line)) : undefined;
    log({ session: read(folder + '.jsonl'), helper: read(folder + '/subagents/agent-7.jsonl'), settings: read(process.env.CLAUDE_CONFIG_DIR + '/settings.json') });
    ${OBEDIENT}`);
  const config = join(agent.folder, 'config');
  await mkdir(config);
  await writeFile(join(config, 'settings.json'), '{"mine":true}');
  const [key = ''] = projectKeysOf(agent.folder);
  const env = { CLAUDE_CONFIG_DIR: config, KEY: key };
  return { agent, options: agent.options({ cwd: agent.folder, env, ...options }) };
}

async function heldSession(folder: string): Promise<InMemorySessionStore> {
  const store = new InMemorySessionStore();
  const [projectKey = ''] = projectKeysOf(folder);
  await store.append({ projectKey, sessionId: uuid(901) }, [said(1, 'old')]);
  await store.append({ projectKey, sessionId: SESSION }, [said(1, 'hello'), said(2, 'again')]);
  await store.append({ projectKey, sessionId: SESSION, subpath: 'subagents/agent-7' }, [said(3, 'helping')]);
  return store;
}

describe('a session store', () => {
  it('[SD174] has what a turn wrote, by transcript and in order, before its result is seen', async () => {
    const agent = await fakeAgent(`${WRITES}
      return {
        user: () => {
          write('${SESSION}', note(1), note(2));
          write('${SESSION}/subagents/agent-7', note('a'));
          write('${SESSION}', note(3));
          result();
        },
        end: () => { write('${SESSION}', note(4)); process.exit(0); },
      };`);
    const sessionStore = new WatchedStore();
    const seen: unknown[] = [];
    for await (const message of query({ prompt: 'x', options: agent.options({ sessionStore }) }))
      seen.push(message.type, structuredClone(sessionStore.texts));
    expect(seen).toEqual(['result', [[1, 2, 3], ['a']]]);
    expect(sessionStore.texts).toEqual([[1, 2, 3], ['a'], [4]]);
    const key = { projectKey: 'p', sessionId: SESSION };
    expect(sessionStore.calls.map((call) => call.key)).toEqual([
      key,
      { ...key, subpath: 'subagents/agent-7' },
      key,
    ]);
    expect((await agent.start()).argv).toContain('--session-mirror');
  });

  it('[SD3810] takes very many entries at once, and nothing of what no agent writes: the conversation goes on', async () => {
    const agent = await fakeAgent(`${WRITES}
      return {
        user: () => {
          const mirror = (filePath, entries) => out({ type: 'transcript_mirror', filePath, entries });
          mirror('/projects/p/${SESSION}.jsonl', Array.from({ length: 200_000 }, (_, n) => note(n)));
          mirror('/projects/a'.repeat(200_000), [note('path')]);
          for (const [filePath, entries] of [[5, []], ['/projects/p/x.jsonl', null], [null, {}]])
            mirror(filePath, entries);
          result();
        },
      };`);
    const sessionStore = new WatchedStore();
    const seen = await collect(query({ prompt: 'x', options: agent.options({ sessionStore }) }));
    expect(kinds(seen).at(-1)).toBe('success');
    expect(sessionStore.calls.map(({ entries }) => entries.length)).toEqual([200_000]);
  });

  it('[SD174] also gets it from an agent that was left', async () => {
    const agent = await fakeAgent(`${WRITES}
      return { user: () => { write('${SESSION}', note(1)); out({ type: 'system', subtype: 'init' }); } };`);
    const sessionStore = new WatchedStore();
    const conversation = query({ prompt: 'x', options: agent.options({ sessionStore }) });
    await conversation.next();
    conversation.close();
    await vi.waitFor(() => expect(sessionStore.texts).toEqual([[1]]), { timeout: EVENT_MS });
  });

  it('[SD175] that is eager gets it as it is written', async () => {
    const agent = await fakeAgent(`${WRITES}
      return { user: ({ message }) => {
        if (message.content === 'end') return result();
        write('${SESSION}', note(1));
        write('${SESSION}', note(2));
      } };`);
    const sessionStore = new WatchedStore();
    async function* prompts() {
      yield prompt('begin');
      await vi.waitFor(() => expect(sessionStore.texts).toEqual([[1], [2]]), { timeout: EVENT_MS });
      yield prompt('end');
    }
    const options = agent.options({ sessionStore, sessionStoreFlush: 'eager' });
    expect(kinds(await collect(query({ prompt: prompts(), options })))).toEqual(['success']);
  });

  it('[SD176] that fails is tried again, then reported, and costs no turn', async () => {
    const agent = await fakeAgent(`${WRITES}
      return { user: ({ message }) => { write('${SESSION}', note(message.content)); result(); } };`);
    const sessionStore = new WatchedStore();
    sessionStore.refusals = 5;
    async function* prompts() {
      yield prompt('lost');
      yield prompt('kept');
    }
    const messages = await collect(query({ prompt: prompts(), options: agent.options({ sessionStore }) }));
    expect(kinds(messages)).toEqual(['mirror_error', 'success', 'success']);
    const key = { projectKey: 'p', sessionId: SESSION };
    expect(messages[0]).toMatchObject({ error: 'the disk is full', key, session_id: SESSION });
    expect(sessionStore.texts).toEqual([['lost'], ['lost'], ['lost'], ['kept'], ['kept'], ['kept']]);
    expect(await sessionStore.load(key)).toEqual([{ type: 'note', text: 'kept' }]);
  });
});

describe('a session of a store', () => {
  it.each([{ resume: SESSION }, { continue: true }])(
    '[SD177] goes on with all that belongs to it: %o',
    async (how) => {
      const { agent, options } = await agentWithSession(how);
      const sessionStore = await heldSession(agent.folder);
      await collect(query({ prompt: 'x', options: { ...options, sessionStore } }));
      const [{ argv, env } = {}, found] = await agent.log();
      expect(argv).toContain(`--resume=${SESSION}`);
      expect(argv).not.toContain('--continue');
      expect(found).toEqual({
        session: [said(1, 'hello'), said(2, 'again')],
        helper: [said(3, 'helping')],
        settings: [{ mine: true }],
      });
      const config = env?.['CLAUDE_CONFIG_DIR'] ?? '';
      expect(config).not.toBe(options.env?.['CLAUDE_CONFIG_DIR']);
      expect(existsSync(config)).toBe(false);
      expect(await readdir(options.env?.['CLAUDE_CONFIG_DIR'] ?? '')).toEqual(['settings.json']);
    },
  );

  it('[SD177] that the store does not have is left to the agent', async () => {
    const { agent, options } = await agentWithSession({ resume: SESSION });
    await collect(query({ prompt: 'x', options: { ...options, sessionStore: new InMemorySessionStore() } }));
    const { argv, env } = await agent.start();
    expect(argv).toContain(`--resume=${SESSION}`);
    expect(env['CLAUDE_CONFIG_DIR']).toBe(options.env?.['CLAUDE_CONFIG_DIR']);
  });

  it('[SD177] that is to go on where there is none begins anew', async () => {
    const { agent, options } = await agentWithSession({ continue: true });
    await collect(query({ prompt: 'x', options: { ...options, sessionStore: new InMemorySessionStore() } }));
    const { argv } = await agent.start();
    expect(argv.filter((arg) => /^--(?:resume|continue)/.test(arg))).toEqual([]);
  });

  it('[SD178] that its store does not give in time raises SESSION_STORE_TIMEOUT, and nothing is started', async () => {
    const { agent, options } = await agentWithSession({ resume: SESSION, loadTimeoutMs: 20 });
    const sessionStore: SessionStore = { append: async () => {}, load: () => new Promise(() => {}) };
    const error = await thrownBy(collect(query({ prompt: 'x', options: { ...options, sessionStore } })));
    expect(error).toMatchObject({ code: 'SESSION_STORE_TIMEOUT' });
    expect(await agent.log()).toEqual([]);
    const { resume: _resume, ...others } = options;
    const going = { ...others, continue: true, sessionStore };
    expect(await thrownBy(collect(query({ prompt: 'x', options: going })))).toMatchObject({
      code: 'SESSION_STORE_INCOMPLETE',
    });
  });

  it('[SD10] needs the transcript of the agent', () => {
    const options = { sessionStore: new InMemorySessionStore(), persistSession: false };
    expect(() => query({ prompt: 'x', options })).toThrow('sessionStore');
  });
});

describe('messages for the SDK alone', () => {
  it('[SD173] are not handed over', async () => {
    const agent = await fakeAgent(`return { user: () => {
      out({ type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true });
      out({ type: 'system', subtype: 'session_state_changed', state: 'running' });
      result();
      out({ type: 'system', subtype: 'session_state_changed', state: 'idle', sdk_host_only: true });
    } };`);
    const messages = await collect(query({ prompt: 'x', options: agent.options() }));
    expect(kinds(messages)).toEqual(['session_state_changed', 'success']);
    expect(await readFile(`${agent.path}.log`, 'utf8')).toContain('inputEnded');
  });
});
