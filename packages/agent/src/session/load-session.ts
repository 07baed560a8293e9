import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import {
  type ChainedEntry,
  followConversation,
  isChained,
  isMessage,
  isPermissionMode,
  type MessageEntry,
  messagesOf,
  type PermissionMode,
  type TranscriptEntry,
} from '@signalbox/protocol';
import { apiHistory } from './api-history.ts';
import { assertDropsTurn } from './dropped-turn.ts';
import { listSessions } from './list-sessions.ts';
import { readTranscript } from './read-transcript.ts';
import { type RecordedReply, ReplyCollector } from './recorded-replies.ts';
import type { ResumeTarget } from './resume-target.ts';
import { type SeenFile, seenFiles } from './seen-files.ts';
import { ResumePointError, SessionNotFoundError, SessionUnreadableError } from './session-errors.ts';
import type { SessionPaths } from './session-paths.ts';

/** A conversation of the past, ready to go on. */
export interface LoadedSession {
  /** The file it was read from. */
  file: string;
  /** The conversation as the model is sent it. */
  messages: Anthropic.MessageParam[];
  /** The conversation as it was stored, reminders and all. */
  entries: ChainedEntry[];
  /**
   * What the transcript says about files before they were changed. Nothing for a file from elsewhere: it could
   * name any path, to be deleted by a rewind.
   */
  fileHistory: TranscriptEntry[];
  /** Files that it has read and written. Nothing for a file from elsewhere, either. */
  seenFiles: SeenFile[];
  /** The message that the session goes on from, and when it was said. */
  lastUuid: string | null;
  lastTimestamp: string | undefined;
  model: string | undefined;
  permissionMode: PermissionMode | undefined;
  /** Lines that could not be read and were left out. */
  damagedLines: number;
  /** What the model was asked and paid for, on whatever branch of the conversation. */
  replies: RecordedReply[];
}

/** Load the session that `--resume` named. Throws `SessionNotFoundError`, `SessionUnreadableError`, `ResumePointError`, `ResumeDropsMoreError`. */
export async function loadSession(
  target: Exclude<ResumeTarget, { kind: 'url' }>,
  sessionPaths: SessionPaths,
  options: { resumeAt?: string | undefined; dropsTurn?: string | undefined } = {},
): Promise<LoadedSession> {
  const file = target.kind === 'file' ? target.file : await transcriptOf(target.sessionId, sessionPaths);
  const chained: ChainedEntry[] = [];
  const fileHistory: TranscriptEntry[] = [];
  const replies = new ReplyCollector();
  const damagedLines = await readTranscript(file, (entry) => {
    replies.add(entry);
    if (isChained(entry)) chained.push(entry);
    else if (entry.type.startsWith('file-history-')) fileHistory.push(entry);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new SessionNotFoundError('There is no such file.', file);
    throw new SessionUnreadableError(file, error);
  });
  const { resumeAt, dropsTurn } = options;
  const known = resumeAt === undefined ? chained : upTo(resumeAt, chained);
  if (resumeAt !== undefined && dropsTurn !== undefined)
    assertDropsTurn(chained.slice(known.length), { at: resumeAt, turn: dropsTurn });
  const conversation = followConversation(known);
  const messages = messagesOf(conversation, known);
  const last = conversation.at(-1);
  if (messages.length === 0)
    throw new SessionUnreadableError(file, new Error('there is no conversation in it'));
  const entries = inFileOrder(known, conversation, messages);
  return {
    file,
    messages: apiHistory(messages),
    entries,
    fileHistory: target.kind === 'file' ? [] : fileHistory,
    seenFiles: target.kind === 'file' ? [] : seenFiles(entries),
    lastUuid: last?.uuid ?? null,
    lastTimestamp: typeof last?.timestamp === 'string' ? last.timestamp : undefined,
    model: lastModel(messages),
    permissionMode: lastMode(messages),
    damagedLines,
    replies: replies.replies,
  };
}

/** The id of the session of this folder that was used last. */
export async function newestSession(sessionPaths: SessionPaths): Promise<string> {
  const [newest] = await listSessions(sessionPaths, { limit: 1 });
  if (newest) return newest.sessionId;
  throw new SessionNotFoundError('No conversation found to continue.', sessionPaths.projectFolder);
}

async function transcriptOf(sessionId: string, sessionPaths: SessionPaths): Promise<string> {
  for (const folder of sessionPaths.projectFolders) {
    const file = join(folder, `${sessionId}.jsonl`);
    if (await exists(file)) return file;
  }
  throw new SessionNotFoundError(
    `No conversation found with session ID: ${sessionId}.`,
    sessionPaths.projectFolder,
  );
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** What was said after the message was on another branch, or never said at all. */
function upTo(uuid: string, entries: readonly ChainedEntry[]): ChainedEntry[] {
  const at = entries.findIndex((entry) => entry.uuid === uuid && isMessage(entry));
  if (at === -1) throw new ResumePointError(uuid);
  return entries.slice(0, at + 1);
}

function inFileOrder(
  entries: readonly ChainedEntry[],
  ...parts: readonly (readonly ChainedEntry[])[]
): ChainedEntry[] {
  const wanted = new Set(parts.flat());
  return entries.filter((entry) => wanted.has(entry));
}

function lastModel(messages: readonly MessageEntry[]): string | undefined {
  for (const { type, message } of messages.toReversed()) {
    // A reply that the agent wrote in the model's place names no real model.
    if (type === 'assistant' && typeof message.model === 'string' && !message.model.startsWith('<')) {
      return message.model;
    }
  }
  return undefined;
}

function lastMode(messages: readonly MessageEntry[]): PermissionMode | undefined {
  const mode = messages.findLast(({ permissionMode }) => permissionMode !== undefined)?.permissionMode;
  return typeof mode === 'string' && isPermissionMode(mode) ? mode : undefined;
}
