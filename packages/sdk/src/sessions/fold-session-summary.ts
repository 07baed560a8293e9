import { blocksOf, isMessage, isToolAnswer } from '@signalbox/protocol';
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from './session-store.ts';

const TITLE_CHARS = 200;

/** What agents put among the prompts themselves: commands, their output, reminders, notes. */
const MACHINE_MADE = /^(?:<[a-z][\w-]*[\s>]|\[Request interrupted by user)/;
const COMMAND = /<command-name>(.*?)<\/command-name>/s;
const SHELL_LINE = /<bash-input>(.*?)<\/bash-input>/s;

/** What is known of a session. The first of some counts, of others the last. */
export interface SummaryData {
  isSidechain?: boolean;
  createdAt?: number;
  cwd?: string;
  firstPrompt?: string;
  /** True once a person's own words are known; until then, a command may stand for them. */
  firstPromptLocked?: boolean;
  commandFallback?: string;
  customTitle?: string;
  aiTitle?: string;
  lastPrompt?: string;
  summaryHint?: string;
  gitBranch?: string;
  tag?: string;
}

/** The fields of entries of which the last counts, and what a summary calls them. */
const LAST = {
  customTitle: 'customTitle',
  aiTitle: 'aiTitle',
  lastPrompt: 'lastPrompt',
  summary: 'summaryHint',
  gitBranch: 'gitBranch',
} as const;

/**
 * What is known of a session after some more entries. A store that calls this in `append` and keeps what it gives can tell
 * `listSessionSummaries` without reading transcripts. `mtime` is the time of the store's own clock.
 */
export function foldSessionSummary(
  before: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options: { mtime?: number } = {},
): SessionSummaryEntry {
  const data = { ...before?.data };
  const mtime = options.mtime ?? before?.mtime ?? 0;
  return { sessionId: key.sessionId, mtime, data: { ...foldEntries(data, entries) } };
}

/** What is known with these entries, besides what was known before. */
export function foldEntries(before: SummaryData, entries: readonly SessionStoreEntry[]): SummaryData {
  const data = { ...before };
  for (const entry of entries) {
    data.isSidechain ??= entry['isSidechain'] === true;
    const time = Date.parse(entry.timestamp ?? '');
    if (!Number.isNaN(time)) data.createdAt ??= time;
    if (typeof entry['cwd'] === 'string') data.cwd ??= entry['cwd'];
    for (const [field, name] of Object.entries(LAST)) {
      const value = entry[field];
      if (typeof value === 'string') data[name] = value;
    }
    if (entry.type === 'tag') {
      if (typeof entry['tag'] === 'string' && entry['tag'] !== '') data.tag = entry['tag'];
      else delete data.tag;
    }
    if (!data.firstPromptLocked) Object.assign(data, firstWords(data, entry));
  }
  return data;
}

/** Whether a person said this. */
export function isPrompt(entry: SessionStoreEntry): boolean {
  return promptTexts(entry).some((text) => text !== '' && !MACHINE_MADE.test(text));
}

function firstWords({ commandFallback }: SummaryData, entry: SessionStoreEntry): SummaryData {
  let command = commandFallback;
  for (const text of promptTexts(entry)) {
    const line = SHELL_LINE.exec(text)?.[1];
    const words = line === undefined ? text : `! ${line.trim()}`;
    command ??= COMMAND.exec(text)?.[1];
    if (words !== '' && !MACHINE_MADE.test(words))
      return { firstPrompt: cut(words), firstPromptLocked: true };
  }
  return command === undefined ? {} : { commandFallback: command };
}

function promptTexts(stored: SessionStoreEntry): string[] {
  // What a sub-agent was told is a prompt as well.
  const entry = { ...stored, isSidechain: false };
  if (!isMessage(entry) || entry.type !== 'user') return [];
  if (entry['isMeta'] === true || entry['isCompactSummary'] === true || isToolAnswer(entry)) return [];
  return blocksOf(entry).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text.replaceAll('\n', ' ').trim()] : [],
  );
}

function cut(text: string): string {
  return text.length > TITLE_CHARS ? `${text.slice(0, TITLE_CHARS).trim()}…` : text;
}
