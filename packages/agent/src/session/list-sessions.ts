import { open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { blocksOf, isMessage, isToolAnswer, parseEntry, type TranscriptEntry } from '@signalbox/protocol';
import { isSessionId } from './resume-target.ts';
import type { SessionPaths } from './session-paths.ts';

/** What is read of either end of a transcript: a list must not cost more for long sessions. */
const END_BYTES = 64 * 1024;

/** Transcripts that are open at the same time. */
const READ_AT_ONCE = 16;

const TITLE_CHARS = 200;

/** A session, as a list shows it. */
export interface SessionInfo {
  sessionId: string;
  /** Its title, else what was said last as far as it was noted, else a summary, else what was said first. */
  summary: string;
  lastModified: number;
  fileSize: number;
  firstPrompt: string | undefined;
  customTitle: string | undefined;
  gitBranch: string | undefined;
  cwd: string | undefined;
}

interface TranscriptFile {
  file: string;
  sessionId: string;
  lastModified: number;
  fileSize: number;
}

/** The sessions of a working directory, the newest first. Reads only the two ends of each file. */
export async function listSessions(
  sessionPaths: SessionPaths,
  options: { limit?: number } = {},
): Promise<SessionInfo[]> {
  const files = (await Promise.all(sessionPaths.projectFolders.map(transcriptsIn))).flat();
  files.sort((a, b) => b.lastModified - a.lastModified);
  const limit = options.limit ?? files.length;
  const sessions: SessionInfo[] = [];
  for (let at = 0; at < files.length && sessions.length < limit; at += READ_AT_ONCE) {
    const some = await Promise.all(files.slice(at, at + READ_AT_ONCE).map(describe));
    sessions.push(...some.filter((session) => session !== undefined));
  }
  return sessions.slice(0, limit);
}

async function transcriptsIn(folder: string): Promise<TranscriptFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.map(async (name) => {
    const sessionId = basename(name, '.jsonl');
    if (!name.endsWith('.jsonl') || !isSessionId(sessionId)) return undefined;
    const file = join(folder, name);
    const info = await stat(file).catch(() => undefined);
    return info?.isFile() ? { file, sessionId, lastModified: info.mtimeMs, fileSize: info.size } : undefined;
  });
  return (await Promise.all(found)).filter((file) => file !== undefined);
}

/** Nothing for a file in which nobody said anything. */
async function describe({ file, ...facts }: TranscriptFile): Promise<SessionInfo | undefined> {
  const ends = await readEnds(file, facts.fileSize).catch(() => undefined);
  if (!ends?.includes('"type":"user"')) return undefined;
  // The first and the last line of what was read may be cut: they are no entries then.
  const entries = ends.split('\n').flatMap((line) => parseEntry(line) ?? []);
  const firstPrompt = entries.map(promptText).find((text) => text !== undefined);
  const customTitle = lastText(entries, 'customTitle');
  const title = customTitle ?? lastText(entries, 'aiTitle') ?? lastText(entries, 'lastPrompt');
  return {
    ...facts,
    summary: title ?? lastText(entries, 'summary') ?? firstPrompt ?? '',
    firstPrompt,
    customTitle,
    gitBranch: lastText(entries, 'gitBranch'),
    cwd: lastText(entries, 'cwd'),
  };
}

async function readEnds(file: string, size: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const read = async (start: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return buffer.toString('utf8', 0, bytesRead);
    };
    if (size <= 2 * END_BYTES) return await read(0, size);
    return `${await read(0, END_BYTES)}\n${await read(size - END_BYTES, END_BYTES)}`;
  } finally {
    await handle.close();
  }
}

/** What a person said, if this is where one did. */
function promptText(entry: TranscriptEntry): string | undefined {
  if (!isMessage(entry) || entry.type !== 'user') return undefined;
  if (entry.isMeta === true || entry.isCompactSummary === true || isToolAnswer(entry)) return undefined;
  const text = blocksOf(entry).find(({ type }) => type === 'text')?.text;
  return typeof text === 'string' && text !== '' ? text.slice(0, TITLE_CHARS) : undefined;
}

function lastText(entries: readonly TranscriptEntry[], field: string): string | undefined {
  const value = entries.findLast((entry) => typeof entry[field] === 'string' && entry[field] !== '')?.[field];
  return typeof value === 'string' ? value : undefined;
}
