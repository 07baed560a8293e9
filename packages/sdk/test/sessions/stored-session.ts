import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectKey } from '@signalbox/protocol';
import { onTestFinished } from 'vitest';
import {
  FileSessionStore,
  InMemorySessionStore,
  type SessionStore,
  type SessionStoreEntry,
} from '../../src/index.ts';

/** Both stores, each empty and gone after its test. */
export const STORES: readonly [name: string, open: () => Promise<SessionStore>][] = [
  ['files', async () => new FileSessionStore(await temporaryFolder())],
  ['memory', async () => new InMemorySessionStore()],
];

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-sessions-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The n-th uuid. */
export function uuid(n: number): string {
  return `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

export const CWD = '/home/someone/project';
export const KEY = { projectKey: projectKey(CWD), sessionId: uuid(900) };

type Fields = Record<string, unknown>;

/** An entry of the conversation; its number is its uuid, and it follows the one before unless `fields` say otherwise. */
export function entry(n: number, type: string, fields: Fields): SessionStoreEntry {
  return {
    parentUuid: n === 1 ? null : uuid(n - 1),
    isSidechain: false,
    cwd: CWD,
    sessionId: KEY.sessionId,
    gitBranch: 'main',
    ...fields,
    type,
    uuid: uuid(n),
    timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  };
}

export function said(n: number, content: unknown, fields: Fields = {}): SessionStoreEntry {
  return entry(n, 'user', { message: { role: 'user', content }, ...fields });
}

export function replied(n: number, block: Fields, fields: Fields = {}): SessionStoreEntry {
  const message = { id: `m${n}`, type: 'message', role: 'assistant', model: 'x', content: [block] };
  return entry(n, 'assistant', { message, ...fields });
}

export function text(words: string): Fields {
  return { type: 'text', text: words };
}

/** Two questions and their answers, the second with a note between. */
export const CONVERSATION = [
  said(1, 'what is it?'),
  replied(2, text('a train')),
  said(3, 'where does it go?'),
  entry(4, 'system', { subtype: 'informational', content: 'a note' }),
  replied(5, text('to Green Branch')),
];
