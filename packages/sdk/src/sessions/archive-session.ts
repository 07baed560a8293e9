import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject, parseJson } from '@signalbox/protocol';
import { OptionsError } from '../options-error.ts';
import type { SessionMutationOptions } from './edit-session.ts';
import { requireSession } from './find-session.ts';
import { isPrompt } from './fold-session-summary.ts';
import { projectsFolder, sessionFolder } from './session-paths.ts';
import type { SessionKey, SessionStoreEntry } from './session-store.ts';

/**
 * Mark a session of this machine as archived. It stays where it is, and in the list; the next prompt in it takes the mark
 * away. A session in a store has no place for the mark.
 */
export function archiveSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  return mark(sessionId, true, options);
}

/** Take the mark away. */
export function unarchiveSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  return mark(sessionId, false, options);
}

/** Whether a session of these projects is archived; undefined for one that never was. `entries` are the newest of it. */
export async function isArchived(
  projects: string,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
): Promise<boolean | undefined> {
  const text = await readFile(markFile(projects, key), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { archived, at } = markIn(text);
  return (
    archived === true && !entries.some((entry) => isPrompt(entry) && (entry.timestamp ?? '') > String(at))
  );
}

async function mark(sessionId: string, archived: boolean, options: SessionMutationOptions): Promise<void> {
  if (options.sessionStore)
    throw new OptionsError('A session in a store cannot be archived: a store holds transcripts only.');
  const { key } = await requireSession(sessionId, options);
  const file = markFile(projectsFolder(), key);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ archived, at: new Date().toISOString(), by: 'sdk' }));
}

function markFile(projects: string, key: SessionKey): string {
  return join(sessionFolder(projects, key), 'archived.json');
}

/** A mark that cannot be read is none. */
function markIn(text: string): Record<string, unknown> {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
