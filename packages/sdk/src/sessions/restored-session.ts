import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../types/options.ts';
import { FileSessionStore } from './file-session-store.ts';
import { inTime } from './in-time.ts';
import { SessionStoreError } from './session-errors.ts';
import { projectKeysOf } from './session-paths.ts';
import type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.ts';

/** How long a store may take to load a session that is to go on, unless the options say. */
export const LOAD_TIMEOUT_MS = 60_000;

const PROJECTS = 'projects';

/** Options for an agent that goes on with a session of a store, and how to clear away what it needed for that. */
export interface RestoredSession {
  options: Options;
  /** Never rejects: what is left over lies among temporary files. */
  remove(): Promise<void>;
}

/** Whether a session must be fetched from a store before the agent can start. */
export function mustRestore({ sessionStore, resume, continue: goesOn }: Options): boolean {
  return sessionStore !== undefined && (resume !== undefined || goesOn === true);
}

/**
 * Fetch the session that the options name, and put it where an agent will look for it: into a configuration folder of
 * its own that is otherwise the person's. A session that the store does not have is left to the agent to find.
 */
export async function restoreSession(options: Options, store: SessionStore): Promise<RestoredSession> {
  const { continue: _goesOn, ...rest } = options;
  const timeoutMs = options.loadTimeoutMs ?? LOAD_TIMEOUT_MS;
  const projectKey = projectKeysOf(options.cwd ?? process.cwd())[0] ?? '';
  const resume = options.resume ?? (await newestOf(store, projectKey, timeoutMs));
  if (resume === undefined) return { options: rest, remove: async () => {} };
  const key = { projectKey, sessionId: resume };
  const entries = await inTime(store.load(key), timeoutMs, 'load');
  if (!entries) return { options: { ...rest, resume }, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-resume-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {});
  try {
    await linkConfiguration(folder, options.env ?? process.env);
    await write(folder, key, entries);
    const subpaths =
      (await (store.listSubkeys && inTime(store.listSubkeys(key), timeoutMs, 'listSubkeys'))) ?? [];
    for (const subpath of subpaths) {
      const part = { ...key, subpath };
      await write(folder, part, (await inTime(store.load(part), timeoutMs, 'load')) ?? []);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const env = { ...(options.env ?? process.env), CLAUDE_CONFIG_DIR: folder };
  return { options: { ...rest, resume, env }, remove };
}

async function newestOf(
  store: SessionStore,
  projectKey: string,
  timeoutMs: number,
): Promise<string | undefined> {
  if (!store.listSessions) throw new SessionStoreError('listSessions');
  const sessions = await inTime(store.listSessions(projectKey), timeoutMs, 'listSessions');
  return sessions.toSorted((a, b) => b.mtime - a.mtime)[0]?.sessionId;
}

/** Links, not copies: there are credentials among it. */
async function linkConfiguration(folder: string, env: NonNullable<Options['env']>): Promise<void> {
  const { CLAUDE_CONFIG_DIR: named, HOME: home = homedir() } = env;
  const own = named || join(home, '.claude');
  const names = await readdir(own).catch(() => []);
  for (const name of names) if (name !== PROJECTS) await symlink(join(own, name), join(folder, name));
  // Without a folder of its own the agent keeps this file beside the usual one.
  if (!named) await symlink(join(home, '.claude.json'), join(folder, '.claude.json'));
}

function write(folder: string, key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
  return new FileSessionStore(join(folder, PROJECTS)).append(key, entries);
}
