import { isArchived } from './archive-session.ts';
import { FileSessionStore } from './file-session-store.ts';
import { endsOf, findSession, projectsAt, type SessionLocation } from './find-session.ts';
import { SessionStoreError } from './session-errors.ts';
import { describeSession, describeSummary, isProgrammatic, type SDKSessionInfo } from './session-info.ts';
import { isSessionId } from './session-paths.ts';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
  StoredSession,
} from './session-store.ts';

/** Transcripts that are read at the same time. */
const READ_AT_ONCE = 16;

/** Which sessions to list. */
export interface ListSessionsOptions extends SessionLocation {
  limit?: number;
  /** How many of the newest to pass over. */
  offset?: number;
  /** With `dir`: also the other working trees of its repository. True unless given. */
  includeWorktrees?: boolean;
  /** Also sessions that programs held. True unless given. */
  includeProgrammatic?: boolean;
}

/** Where to look for a session. */
export type GetSessionInfoOptions = SessionLocation;

interface Listed {
  session: StoredSession;
  key: SessionKey;
  summary?: SessionSummaryEntry | undefined;
  /** The ends of its transcript, where they have been read. */
  entries?: readonly SessionStoreEntry[];
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
  const { dir, sessionStore: store = new FileSessionStore() } = options;
  const one =
    store instanceof FileSessionStore
      ? await fileOf(store, sessionId, dir)
      : await entryOf(sessionId, options);
  return one && infoOf(store, one, true);
}

/** Asked for by its name: programs ask after every turn, also where a folder has thousands of sessions. */
async function fileOf(
  store: FileSessionStore,
  sessionId: string,
  dir: string | undefined,
): Promise<Listed | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  for (const projectKey of await projectsAt(store, dir)) {
    const key = { projectKey, sessionId };
    const found = await store.look(key);
    if (found) return { ...found, key };
  }
  return undefined;
}

async function entryOf(sessionId: string, options: GetSessionInfoOptions): Promise<Listed | undefined> {
  const found = await findSession(sessionId, options);
  const listed = found ? await sessionsOf(found.store, found.key.projectKey) : [];
  return listed.find(({ session }) => session.sessionId === sessionId);
}

async function sessionsOf(store: SessionStore, projectKey: string): Promise<Listed[]> {
  if (!store.listSessions) throw new SessionStoreError('listSessions');
  const sessions = await store.listSessions(projectKey);
  const summaries = (await store.listSessionSummaries?.(projectKey)) ?? [];
  const known = new Map(summaries.map((summary) => [summary.sessionId, summary]));
  return sessions.map((session) => {
    const { sessionId } = session;
    return { session, key: { projectKey, sessionId }, summary: known.get(sessionId) };
  });
}

async function infoOf(
  store: SessionStore,
  { session, key, summary, entries: read }: Listed,
  includeProgrammatic: boolean,
): Promise<SDKSessionInfo | undefined> {
  // One that was kept before the last change says too little.
  const isFresh = summary !== undefined && summary.mtime >= session.mtime;
  if (isFresh && includeProgrammatic) return describeSummary(session, summary.data);
  // Deleted since it was listed: it is not there.
  const entries = read ?? (await endsOf({ store, key })) ?? [];
  const info =
    includeProgrammatic || !isProgrammatic(entries) ? describeSession(session, entries) : undefined;
  if (!info || !(store instanceof FileSessionStore)) return info;
  const archived = await isArchived(store.folder, key, entries);
  return archived === undefined ? info : { ...info, archived };
}
