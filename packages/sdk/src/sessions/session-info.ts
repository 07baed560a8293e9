import { foldEntries, type SummaryData } from './fold-session-summary.ts';
import type { SessionStoreEntry, StoredSession } from './session-store.ts';

/** A session, as a list shows it. */
export interface SDKSessionInfo {
  sessionId: string;
  /** Its title, else the last prompt that the agent noted, else a summary, else the first prompt. */
  summary: string;
  /** Milliseconds since the epoch. */
  lastModified: number;
  fileSize?: number | undefined;
  customTitle?: string | undefined;
  firstPrompt?: string | undefined;
  gitBranch?: string | undefined;
  cwd?: string | undefined;
  tag?: string | undefined;
  createdAt?: number | undefined;
  /** Whether it is archived; false once it was. Not known of sessions in a store. */
  archived?: boolean | undefined;
}

/** Nothing for a session in which nobody said anything, or that is part of another. */
export function describeSession(
  session: StoredSession,
  entries: readonly SessionStoreEntry[],
): SDKSessionInfo | undefined {
  return describeSummary(session, foldEntries({}, entries));
}

/** The same of what is known about a session already. */
export function describeSummary(
  { sessionId, mtime, fileSize }: StoredSession,
  data: SummaryData,
): SDKSessionInfo | undefined {
  if (data.isSidechain) return undefined;
  const firstPrompt = data.firstPrompt ?? data.commandFallback;
  const customTitle = data.customTitle || data.aiTitle || undefined;
  const summary = customTitle ?? (data.lastPrompt || data.summaryHint || firstPrompt);
  if (!summary) return undefined;
  const { gitBranch, cwd, tag, createdAt } = data;
  return {
    sessionId,
    summary,
    lastModified: mtime,
    fileSize,
    customTitle,
    firstPrompt,
    gitBranch,
    cwd,
    tag,
    createdAt,
  };
}

/** Whether a program held the conversation rather than a person at a terminal. */
export function isProgrammatic(entries: readonly SessionStoreEntry[]): boolean {
  const entrypoints = entries.map(({ entrypoint }) => entrypoint).filter((one) => typeof one === 'string');
  return entrypoints.at(-1)?.startsWith('sdk-') ?? false;
}
