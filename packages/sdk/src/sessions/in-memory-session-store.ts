import { foldSessionSummary } from './fold-session-summary.ts';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
  StoredSession,
} from './session-store.ts';

interface Transcript {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
  readonly uuids: Set<string>;
  mtime: number;
  summary?: SessionSummaryEntry;
}

/** Transcripts in memory, for tests and for sessions that nobody needs tomorrow. */
export class InMemorySessionStore implements SessionStore {
  readonly #transcripts = new Map<string, Transcript>();
  #lastTime = 0;

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const name = nameOf(key);
    const transcript = this.#transcripts.get(name) ?? { key, entries: [], uuids: new Set(), mtime: 0 };
    this.#transcripts.set(name, transcript);
    const added = entries.filter(({ uuid }) => {
      const isNew = uuid === undefined || !transcript.uuids.has(uuid);
      if (uuid !== undefined) transcript.uuids.add(uuid);
      return isNew;
    });
    // One by one: as arguments, very many would overflow the stack.
    for (const entry of structuredClone(added)) transcript.entries.push(entry);
    // Two writes in one millisecond still have an order.
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    const mtime = this.#lastTime;
    transcript.mtime = mtime;
    transcript.summary = foldSessionSummary(transcript.summary, key, added, { mtime });
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const transcript = this.#transcripts.get(nameOf(key));
    return transcript ? structuredClone(transcript.entries) : null;
  }

  async listSessions(projectKey: string): Promise<StoredSession[]> {
    return this.#sessions(projectKey).map(({ key: { sessionId }, mtime }) => ({ sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return structuredClone(this.#sessions(projectKey).flatMap(({ summary }) => summary ?? []));
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

  /** The entries of a transcript; none for a key that was never written. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return structuredClone(this.#transcripts.get(nameOf(key))?.entries ?? []);
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#all().filter(({ key }) => key.subpath === undefined).length;
  }

  clear(): void {
    this.#transcripts.clear();
  }

  #sessions(projectKey: string): Transcript[] {
    return this.#all().filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined);
  }

  #all(): Transcript[] {
    return [...this.#transcripts.values()];
  }
}

function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath]);
}
