import { readdir, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  isSessionId,
  projectFolder,
  projectsFolder,
  sessionFolder,
  transcriptFile,
} from './session-paths.ts';
import type { SessionKey, SessionStore, SessionStoreEntry, StoredSession } from './session-store.ts';
import { appendEntries, readEnds, readEntries } from './transcript-file.ts';

const SUFFIX = '.jsonl';

/** Transcripts in files, laid out as `claude` lays them out: each opens the other's sessions. */
export class FileSessionStore implements SessionStore {
  /** Where the projects lie. */
  readonly folder: string;
  #lastWrite: Promise<void> = Promise.resolve();

  /** Without a folder: where `claude` keeps its own, `projects` in `CLAUDE_CONFIG_DIR` or `~/.claude`. */
  constructor(folder: string = projectsFolder()) {
    this.folder = folder;
  }

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    // One at a time: what another call is about to write must be seen, or an entry would be stored twice.
    const written = this.#lastWrite.then(() => this.#write(transcriptFile(this.folder, key), entries));
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return orNull(readEntries(transcriptFile(this.folder, key)));
  }

  async loadEnds(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return (await this.look(key))?.entries ?? null;
  }

  async listSessions(projectKey: string): Promise<StoredSession[]> {
    const folder = projectFolder(this.folder, projectKey);
    const names = await orNull(readdir(folder));
    const found = (names ?? []).map(async (name) => {
      const sessionId = name.slice(0, -SUFFIX.length);
      if (!name.endsWith(SUFFIX) || !isSessionId(sessionId)) return [];
      const info = await orNull(stat(join(folder, name)));
      if (!info?.isFile()) return [];
      return [{ sessionId, mtime: info.mtime.getTime(), fileSize: info.size }];
    });
    return (await Promise.all(found)).flat();
  }

  /** One session with its ends, in one reading of its file; null when it is not there. */
  async look(key: SessionKey): Promise<{ session: StoredSession; entries: SessionStoreEntry[] } | null> {
    const file = transcriptFile(this.folder, key);
    const ends = await orNull(Promise.resolve().then(() => readEnds(file)));
    if (!ends) return null;
    const { entries, size, mtime } = ends;
    return { session: { sessionId: key.sessionId, mtime, fileSize: size }, entries };
  }

  async delete(key: SessionKey): Promise<void> {
    await rm(transcriptFile(this.folder, key), { force: true });
    if (key.subpath !== undefined) return;
    await rm(sessionFolder(this.folder, key), { recursive: true, force: true });
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const names = await orNull(readdir(sessionFolder(this.folder, key), { recursive: true }));
    const transcripts = (names ?? []).filter((name) => name.endsWith(SUFFIX));
    return transcripts.map((name) => name.slice(0, -SUFFIX.length).replaceAll(sep, '/'));
  }

  async listProjects(): Promise<string[]> {
    const folders = await orNull(readdir(this.folder, { withFileTypes: true }));
    return (folders ?? []).filter((folder) => folder.isDirectory()).map(({ name }) => name);
  }

  async #write(file: string, entries: SessionStoreEntry[]): Promise<void> {
    await appendEntries(file, await newTo(file, entries));
  }
}

/** The entries that are not in the file yet. Those without a uuid are always new, and cost no reading. */
async function newTo(file: string, entries: SessionStoreEntry[]): Promise<SessionStoreEntry[]> {
  if (entries.every(({ uuid }) => uuid === undefined)) return entries;
  const stored = (await orNull(readEntries(file))) ?? [];
  const known = new Set(stored.map(({ uuid }) => uuid));
  return entries.filter(({ uuid }) => {
    const isNew = uuid === undefined || !known.has(uuid);
    known.add(uuid);
    return isNew;
  });
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}
