import { FileSessionStore } from './file-session-store.ts';
import { endsOf, findSession, projectsAt, type SessionPlace } from './find-session.ts';
import { SessionStoreError } from './session-errors.ts';
import { describeSession, isProgrammatic, type SDKSessionInfo } from './session-info.ts';
import type { SessionKey, SessionStore, StoredSession } from './session-store.ts';

/** Transcripts that are read at the same time. */
const READ_AT_ONCE = 16;

/** Which sessions to list. */
export interface ListSessionsOptions extends SessionPlace {
  limit?: number;
  /** How many of the newest to pass over. */
  offset?: number;
  /** With `dir`: also the other working trees of its repository. True unless given. */
  includeWorktrees?: boolean;
  /** Also sessions that programs held. True unless given. */
  includeProgrammatic?: boolean;
}

/** Where to look for a session. */
export type GetSessionInfoOptions = SessionPlace;

interface Listed {
  session: StoredSession;
  key: SessionKey;
}

/** The sessions of a folder or of all, the newest first. Long transcripts are not read whole. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SDKSessionInfo[]> {
  const { dir, sessionStore: store = new FileSessionStore(), offset = 0 } = options;
  const { limit = Number.POSITIVE_INFINITY, includeProgrammatic = true } = options;
  const projects = await projectsAt(store, dir, options.includeWorktrees ?? true);
  const listed = (await Promise.all(projects.map((project) => sessionsOf(store, project)))).flat();
  listed.sort((a, b) => b.session.mtime - a.session.mtime);
  const found: SDKSessionInfo[] = [];
  for (let at = 0; at < listed.length && found.length < offset + limit; at += READ_AT_ONCE) {
    const some = listed.slice(at, at + READ_AT_ONCE);
    const infos = await Promise.all(some.map((one) => infoOf(store, one, includeProgrammatic)));
    found.push(...infos.filter((info) => info !== undefined));
  }
  return found.slice(offset, offset + limit);
}

/** One session, as the list shows it; undefined when there is none, or nothing was said in it. */
export async function getSessionInfo(
  sessionId: string,
  options: GetSessionInfoOptions = {},
): Promise<SDKSessionInfo | undefined> {
  const found = await findSession(sessionId, options);
  if (!found) return undefined;
  const listed = await sessionsOf(found.store, found.key.projectKey);
  const one = listed.find(({ session }) => session.sessionId === sessionId);
  return one && infoOf(found.store, one, true);
}

async function sessionsOf(store: SessionStore, projectKey: string): Promise<Listed[]> {
  if (!store.listSessions) throw new SessionStoreError('listSessions');
  const sessions = await store.listSessions(projectKey);
  return sessions.map((session) => ({ session, key: { projectKey, sessionId: session.sessionId } }));
}

async function infoOf(
  store: SessionStore,
  { session, key }: Listed,
  includeProgrammatic: boolean,
): Promise<SDKSessionInfo | undefined> {
  // Deleted since it was listed: it is not there.
  const entries = (await endsOf({ store, key })) ?? [];
  return includeProgrammatic || !isProgrammatic(entries) ? describeSession(session, entries) : undefined;
}
