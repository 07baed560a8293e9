import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FileSessionStore } from './file-session-store.ts';
import { SessionNotFoundError } from './session-errors.ts';
import { isSessionId, projectKeysOf } from './session-paths.ts';
import type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.ts';

/** Where a session is looked for. */
export interface SessionLocation {
  /** The working directory of the session; any unless given. */
  dir?: string;
  /** The transcripts of `claude` unless given. */
  sessionStore?: SessionStore;
}

/** A session that is there. */
export interface FoundSession {
  store: SessionStore;
  key: SessionKey;
}

/** The projects that a place stands for. */
export async function projectsAt(
  store: SessionStore,
  dir: string | undefined,
  includeWorktrees = false,
): Promise<string[]> {
  if (dir === undefined) return (await store.listProjects?.()) ?? projectKeysOf(process.cwd());
  const folders = includeWorktrees ? await worktreesOf(dir) : [];
  return [...new Set([dir, ...folders].flatMap(projectKeysOf))];
}

/** The session, or undefined when there is none. */
export async function findSession(
  sessionId: string,
  { dir, sessionStore: store = new FileSessionStore() }: SessionLocation,
): Promise<FoundSession | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  for (const projectKey of await projectsAt(store, dir)) {
    const key = { projectKey, sessionId };
    if (await endsOf({ store, key })) return { store, key };
  }
  return undefined;
}

/** The session. Throws {@link SessionNotFoundError}. */
export async function requireSession(sessionId: string, location: SessionLocation): Promise<FoundSession> {
  const found = await findSession(sessionId, location);
  if (found) return found;
  throw new SessionNotFoundError(sessionId, location.dir ?? 'any project');
}

/** What a list needs to know of a session; null when it is not there. */
export function endsOf({ store, key }: FoundSession): Promise<SessionStoreEntry[] | null> {
  return store.loadEnds ? store.loadEnds(key) : store.load(key);
}

/** The working trees of the repository that a folder belongs to; none without git or repository. */
async function worktreesOf(dir: string): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)('git', ['worktree', 'list', '--porcelain'], { cwd: dir });
    return Array.from(stdout.matchAll(/^worktree (.+)$/gm), (match) => match[1] ?? '');
  } catch {
    return [];
  }
}
