import type { SessionKey, SessionStore, SessionStoreEntry, StoredSession } from './session-store.ts';

interface Transcript {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
  readonly uuids: Set<string>;
  mtime: number;
}

/** Transcripts in memory, for tests and for sessions that nobody needs tomorrow. */
export class InMemorySessionStore implements SessionStore {
  readonly #transcripts = new Map<string, Transcript>();
  #lastTime = 0;

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const name = nameOf(key);
    const transcript = this.#transcripts.get(name) ?? { key, entries: [], uuids: new Set(), mtime: 0 };
    this.#transcripts.set(name, transcript);
    for (const entry of entries) {
      if (entry.uuid !== undefined && transcript.uuids.has(entry.uuid)) continue;
      if (entry.uuid !== undefined) transcript.uuids.add(entry.uuid);
      transcript.entries.push(structuredClone(entry));
    }
    // Two writes in one millisecond still have an order.
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    transcript.mtime = this.#lastTime;
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const transcript = this.#transcripts.get(nameOf(key));
    return transcript ? structuredClone(transcript.entries) : null;
  }

  async listSessions(projectKey: string): Promise<StoredSession[]> {
    return this.#all()
      .filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined)
      .map(({ key: { sessionId }, mtime }) => ({ sessionId, mtime }));
  }

  async delete(key: SessionKey): Promise<void> {
    this.#transcripts.delete(nameOf(key));
    if (key.subpath !== undefined) return;
    for (const subpath of await this.listSubkeys(key)) this.#transcripts.delete(nameOf({ ...key, subpath }));
  }

  async listSubkeys({ projectKey, sessionId }: SessionKey): Promise<string[]> {
    return this.#all()
      .filter(({ key }) => key.projectKey === projectKey && key.sessionId === sessionId)
      .flatMap(({ key: { subpath } }) => subpath ?? []);
  }

  async listProjects(): Promise<string[]> {
    return [...new Set(this.#all().map(({ key }) => key.projectKey))];
  }

  #all(): Transcript[] {
    return [...this.#transcripts.values()];
  }
}

function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath]);
}
