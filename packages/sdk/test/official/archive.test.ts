import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import * as ours from '../../src/index.ts';
import {
  CONVERSATION,
  CWD,
  KEY,
  replied,
  said,
  temporaryFolder,
  text,
  uuid,
} from '../sessions/stored-session.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official-sdk.ts';

let theirs: typeof ours;

beforeAll(async () => {
  theirs = await officialSdk();
}, INSTALL_TIMEOUT_MS);

afterEach(() => vi.unstubAllEnvs());

const { sessionId, projectKey } = KEY;

async function storedSession(): Promise<{ store: ours.FileSessionStore; file: string }> {
  const config = await temporaryFolder();
  vi.stubEnv('CLAUDE_CONFIG_DIR', config);
  const store = new ours.FileSessionStore();
  await store.append(KEY, CONVERSATION);
  return { store, file: join(config, 'projects', projectKey, sessionId) };
}

/** What both say of the session. */
async function archived(): Promise<boolean | undefined> {
  const [mine, other] = await Promise.all([ours, theirs].map((sdk) => sdk.getSessionInfo(sessionId)));
  expect(mine).toEqual(other);
  expect(await ours.listSessions({ dir: CWD })).toEqual([mine]);
  return mine?.archived;
}

it('[SD656] a session is archived and taken back, for this package and the official one alike', async () => {
  const { file } = await storedSession();
  const transcript = await readFile(`${file}.jsonl`, 'utf8');
  expect(await archived()).toBe(undefined);
  for (const sdk of [ours, theirs]) {
    await sdk.archiveSession(sessionId, { dir: CWD });
    expect(await archived()).toBe(true);
    await sdk.unarchiveSession(sessionId);
    expect(await archived()).toBe(false);
  }
  expect(await readFile(`${file}.jsonl`, 'utf8')).toBe(transcript);
});

it('[SD656] the next prompt takes the mark away, and nothing else does', async () => {
  const { store } = await storedSession();
  const later = new Date(Date.now() + 60_000).toISOString();
  await ours.archiveSession(sessionId);
  const others = [replied(6, text('a late reply')), said(7, 'a reminder', { isMeta: true })];
  await store.append(KEY, [
    ...others.map((one) => ({ ...one, timestamp: later })),
    { type: 'custom-title', customTitle: 'A title', sessionId },
  ]);
  expect(await archived()).toBe(true);
  await store.append(KEY, [{ ...said(8, 'go on'), timestamp: later }]);
  expect(await archived()).toBe(false);
});

it('[SD656] one that is not there, or in a store, cannot be archived', async () => {
  await storedSession();
  const sessionStore = new ours.InMemorySessionStore();
  await sessionStore.append(KEY, CONVERSATION);
  for (const call of [ours.archiveSession, ours.unarchiveSession]) {
    await expect(call(uuid(1))).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(call(sessionId, { sessionStore })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
  }
});
