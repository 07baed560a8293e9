import { blocksOf, isMessage, isToolAnswer } from '@signalbox/protocol';
import type { SessionStoreEntry, StoredSession } from './session-store.ts';

const TITLE_CHARS = 200;

/** What agents put among the prompts themselves: commands, their output, reminders. */
const MACHINE_MADE = /^\s*<[a-z][\w-]*>/;

/** A session, as a list shows it. */
export interface SDKSessionInfo {
  sessionId: string;
  /** Its title, else a summary, else the first prompt. */
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
}

/** Nothing for a session in which nobody said anything, or that is part of another. */
export function describeSession(
  { sessionId, mtime, fileSize }: StoredSession,
  entries: readonly SessionStoreEntry[],
): SDKSessionInfo | undefined {
  if (entries.find(isMessageLike)?.['isSidechain'] === true) return undefined;
  const firstPrompt = entries.map(promptIn).find((text) => text !== undefined);
  const customTitle = last(entries, 'customTitle') ?? last(entries, 'aiTitle');
  const summary = customTitle ?? last(entries, 'summary') ?? firstPrompt;
  if (!summary) return undefined;
  return {
    sessionId,
    summary,
    lastModified: mtime,
    fileSize,
    customTitle,
    firstPrompt,
    gitBranch: last(entries, 'gitBranch'),
    cwd: entries.map((entry) => textIn(entry, 'cwd')).find(Boolean),
    // An empty one took the tag away.
    tag:
      last(
        entries.filter(({ type }) => type === 'tag'),
        'tag',
      ) || undefined,
    createdAt: Date.parse(entries.find(({ timestamp }) => timestamp)?.timestamp ?? '') || undefined,
  };
}

/** Whether a program held the conversation rather than a person at a terminal. */
export function isProgrammatic(entries: readonly SessionStoreEntry[]): boolean {
  return last(entries, 'entrypoint')?.startsWith('sdk-') ?? false;
}

/** What a person said, if this is where one did. */
function promptIn(entry: SessionStoreEntry): string | undefined {
  if (!isMessage(entry) || entry.type !== 'user') return undefined;
  if (entry['isMeta'] === true || entry['isCompactSummary'] === true || isToolAnswer(entry)) return undefined;
  const text = blocksOf(entry).find(({ type }) => type === 'text')?.['text'];
  return typeof text === 'string' && text !== '' && !MACHINE_MADE.test(text)
    ? text.slice(0, TITLE_CHARS)
    : undefined;
}

function isMessageLike({ type }: SessionStoreEntry): boolean {
  return type === 'user' || type === 'assistant';
}

function last(entries: readonly SessionStoreEntry[], field: string): string | undefined {
  const entry = entries.findLast((one) => textIn(one, field) !== undefined);
  return entry && textIn(entry, field);
}

function textIn(entry: SessionStoreEntry, field: string): string | undefined {
  const value = entry[field];
  return typeof value === 'string' ? value : undefined;
}
