import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import { plainProjectKey, projectKey } from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';
import { SessionKeyError } from './session-errors.ts';
import type { SessionKey } from './session-store.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A session id becomes a file name: nothing but a UUID is taken. */
export function isSessionId(text: string): boolean {
  return UUID.test(text);
}

/** Where `claude` keeps its transcripts, by the environment of this process. */
export function projectsFolder({ CLAUDE_CONFIG_DIR: folder }: NodeJS.ProcessEnv = process.env): string {
  return join(folder || join(homedir(), '.claude'), 'projects');
}

/** The names that a working directory may have among the projects: today's, and that of old versions. */
export function projectKeysOf(folder: string): string[] {
  const path = realPath(folder);
  return [...new Set([projectKey(path), plainProjectKey(path)])];
}

/** The file of a transcript. Throws {@link SessionKeyError} for a key that leads elsewhere. */
export function transcriptFile(projects: string, { subpath, ...key }: SessionKey): string {
  const folder = sessionFolder(projects, key);
  if (subpath === undefined) return `${folder}.jsonl`;
  const path = posix.normalize(subpath);
  if (path.startsWith('..') || path.startsWith('/') || path === '.') throw new SessionKeyError(subpath);
  return `${join(folder, path)}.jsonl`;
}

/** Where the transcripts lie that belong to a session. */
export function sessionFolder(projects: string, key: SessionKey): string {
  if (!isSessionId(key.sessionId)) throw new SessionKeyError(key.sessionId);
  return join(projectFolder(projects, key.projectKey), key.sessionId);
}

/** Where the transcripts of a project lie. */
export function projectFolder(projects: string, key: string): string {
  if (key === '' || key === '.' || key === '..' || /[/\\\0]/.test(key)) throw new SessionKeyError(key);
  return join(projects, key);
}
