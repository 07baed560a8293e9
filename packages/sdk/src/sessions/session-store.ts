/** Names a transcript: that of a session, or with a `subpath` one that belongs to it. */
export interface SessionKey {
  /** The scope of the session; for files, the name that the working directory has among the projects. */
  projectKey: string;
  sessionId: string;
  /** For example `subagents/agent-7`. */
  subpath?: string;
}

/** A line of a transcript. Only its `type` is sure to be there; the rest is kept as it is. */
export interface SessionStoreEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
}

/** A session in a store's list. */
export interface StoredSession {
  sessionId: string;
  /** Milliseconds since the epoch. */
  mtime: number;
  /** Bytes, where the store has files. */
  fileSize?: number;
}

/** What is known of a session without its transcript; `foldSessionSummary` makes it. */
export interface SessionSummaryEntry {
  sessionId: string;
  /** When the summary was kept, by the clock that `listSessions` tells `mtime` by. */
  mtime: number;
  /** Not for the store to look into. */
  data: Record<string, unknown>;
}

/** Where transcripts are kept. Stores written for the official package fit. */
export interface SessionStore {
  /** Add entries in this order. An entry whose `uuid` is stored already is left out. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** All entries; null for a key that was never written. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** The sessions of a project, in any order. */
  listSessions?(projectKey: string): Promise<StoredSession[]>;
  /** What `foldSessionSummary` made of each session of a project, so that a list need not load them. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  /** Remove a transcript; that of a session takes those that belong to it along. */
  delete?(key: SessionKey): Promise<void>;
  /** The subpaths of a session. */
  listSubkeys?(key: { projectKey: string; sessionId: string }): Promise<string[]>;
  /** Entries from both ends of a transcript, so that a list need not read long ones; `load` unless given. */
  loadEnds?(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** The projects that have sessions; only that of the working directory unless given. */
  listProjects?(): Promise<string[]>;
}
