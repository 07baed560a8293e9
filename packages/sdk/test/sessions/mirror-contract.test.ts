import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { referenceCli, referenceEnv } from '@signalbox/testing/reference-cli';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OUR_AGENT } from '../../../../conformance/program.ts';
import { referenceSdkEntry } from '../../../../conformance/references.ts';
import * as ours from '../../src/index.ts';
import { temporaryFolder } from './stored-session.ts';

const INSTALL_TIMEOUT_MS = 600_000;
type Sdk = Pick<typeof ours, 'query'>;

let claude: string;
const sdks: Record<'ours' | 'official', Sdk> = { ours, official: ours };

beforeAll(async () => {
  claude = await referenceCli('2.1.325');
  sdks.official = await import(pathToFileURL(await referenceSdkEntry('0.3.325')).href);
}, INSTALL_TIMEOUT_MS);

/** An agent in a folder of its own, and a model that says what it is told. */
async function stage(executable = claude) {
  const folder = await temporaryFolder();
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const env = { ...referenceEnv(folder, model.url), CLAUDE_CONFIG_DIR: join(folder, 'config') };
  const options: ours.Options = {
    pathToClaudeCodeExecutable: executable,
    cwd: folder,
    env,
    settingSources: [],
    sessionStore: new ours.InMemorySessionStore(),
  };
  return { folder, model, options };
}

async function ask(sdk: Sdk, prompt: string, options: ours.Options): Promise<string> {
  let sessionId = '';
  for await (const message of sdk.query({ prompt, options }))
    if (message.type === 'result') sessionId = message.session_id;
  return sessionId;
}

function isSaid({ type }: ours.SessionStoreEntry): boolean {
  return type === 'user' || type === 'assistant';
}

interface Transcript {
  key: ours.SessionKey;
  entries: ours.SessionStoreEntry[];
}

async function transcripts(folder: string): Promise<Transcript[]> {
  const projects = join(folder, 'config', 'projects');
  const names = await readdir(projects, { recursive: true });
  const found = names
    .filter((name) => name.endsWith('.jsonl'))
    .map(async (name) => {
      const [projectKey = '', sessionId = ''] = name.replace('.jsonl', '').split('/');
      const lines = (await readFile(join(projects, name), 'utf8')).trim().split('\n');
      return { key: { projectKey, sessionId }, entries: lines.map((line) => JSON.parse(line)) };
    });
  return Promise.all(found);
}

describe.each(['ours', 'official'] as const)('a store of %s', (name) => {
  it('[SD179] holds what the real claude wrote to its transcript', async () => {
    const { folder, options } = await stage();
    const sessionId = await ask(sdks[name], 'say hello', options);
    const [transcript, ...others] = await transcripts(folder);
    expect(others).toEqual([]);
    expect(transcript?.key.sessionId).toBe(sessionId);
    const stored = await options.sessionStore?.load(transcript?.key ?? { projectKey: '', sessionId });
    // It keeps notes beside the conversation, some of them to itself.
    const written = transcript?.entries.filter(isSaid);
    expect(written?.length).toBe(2);
    expect(stored?.filter(isSaid)).toEqual(written);
  });

  it('[SD179] holds what signalbox-agent wrote to its transcript', async () => {
    const { folder, options } = await stage(OUR_AGENT);
    const sessionId = await ask(sdks[name], 'say hello', options);
    const [transcript] = await transcripts(folder);
    expect(transcript?.key.sessionId).toBe(sessionId);
    const stored = await options.sessionStore?.load(transcript?.key ?? { projectKey: '', sessionId });
    expect(stored).toEqual(transcript?.entries);
  });

  it('[SD179] gives a session to the other, which goes on with it', async () => {
    const { model, options } = await stage();
    const resume = await ask(sdks[name], 'say hello', options);
    // As on another machine, where nobody has heard of the session.
    const elsewhere = { ...options.env, CLAUDE_CONFIG_DIR: await temporaryFolder() };
    const other = name === 'ours' ? sdks.official : sdks.ours;
    expect(await ask(other, 'say more', { ...options, resume, env: elsewhere })).toBe(resume);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('say hello');
    const dir = options.cwd ?? '';
    const location = { dir, ...(options.sessionStore ? { sessionStore: options.sessionStore } : {}) };
    const messages = await ours.getSessionMessages(resume, location);
    expect(messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });
});
