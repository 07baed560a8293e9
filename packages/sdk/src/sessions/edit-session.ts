import { OptionsError } from '../options-error.ts';
import { requireSession, type SessionLocation } from './find-session.ts';
import type { SessionStore } from './session-store.ts';

/** Where to look for the session to change. */
export type SessionMutationOptions = SessionLocation;

/** Give a session a title. */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  const customTitle = title.trim();
  if (customTitle === '') throw new OptionsError('A title must not be empty.');
  const { store, key } = await requireSession(sessionId, options);
  await store.append(key, [{ type: 'custom-title', customTitle, sessionId }]);
}

/** Give a session a tag; null takes it away. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options: SessionMutationOptions = {},
): Promise<void> {
  if (tag?.trim() === '') throw new OptionsError('A tag must not be empty. Use null to take it away.');
  const { store, key } = await requireSession(sessionId, options);
  await store.append(key, [{ type: 'tag', tag: tag?.trim() ?? '', sessionId }]);
}

/** Delete a session and what its sub-agents said. A store without `delete` keeps it. */
export async function deleteSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  const { store, key } = await requireSession(sessionId, options);
  await store.delete?.(key);
}

/** What of a session is copied, and how. */
export interface ImportSessionToStoreOptions {
  dir?: string;
  /** True unless given. */
  includeSubagents?: boolean;
  /** How many entries go into one `append`; 500 unless given. */
  batchSize?: number;
}

/** Copy a session of this machine, and what its sub-agents said, into a store. */
export async function importSessionToStore(
  sessionId: string,
  target: SessionStore,
  options: ImportSessionToStoreOptions = {},
): Promise<void> {
  const { includeSubagents = true, batchSize = 500, ...location } = options;
  const { store, key } = await requireSession(sessionId, location);
  const subpaths = includeSubagents ? ((await store.listSubkeys?.(key)) ?? []) : [];
  for (const one of [key, ...subpaths.map((subpath) => ({ ...key, subpath }))]) {
    const entries = (await store.load(one)) ?? [];
    for (let at = 0; at < entries.length; at += batchSize)
      await target.append(one, entries.slice(at, at + batchSize));
  }
}
