import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LineDecoder, LineTooLongError, parseEntry } from '@signalbox/protocol';
import type { SessionStoreEntry } from './session-store.ts';

/** What is read of either end of a transcript: a list must not cost more for long sessions. */
export const END_BYTES = 64 * 1024;

/** Opening must not wait for whoever writes to a pipe of that name. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

const NEWLINE = '\n';

/** Every entry of a transcript, in order. Lines that are torn, damaged or too long are left out. */
export async function readEntries(file: string): Promise<SessionStoreEntry[]> {
  const entries: SessionStoreEntry[] = [];
  const lines = new LineDecoder({ onLine: (line) => entries.push(...entriesIn(line.text())) });
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    try {
      lines.push(chunk);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
    }
  }
  lines.end();
  return entries;
}

/** What is known of a transcript without reading all of it. */
export interface TranscriptEnds {
  /** Those at both ends. */
  readonly entries: SessionStoreEntry[];
  readonly size: number;
  /** When it was last written to, in milliseconds since the epoch. */
  readonly mtime: number;
}

/**
 * The ends of a transcript; undefined for what is no file. Read at once: programs ask between two turns, and on a busy machine a
 * trip to another thread takes longer than the reading.
 */
export function readEnds(file: string): TranscriptEnds | undefined {
  const descriptor = openSync(file, OPEN_FLAGS);
  try {
    const info = fstatSync(descriptor);
    if (!info.isFile()) return undefined;
    const { size, mtime } = info;
    return { entries: entriesIn(endsIn(descriptor, size)), size, mtime: mtime.getTime() };
  } finally {
    closeSync(descriptor);
  }
}

function endsIn(descriptor: number, size: number): string {
  if (size <= 2 * END_BYTES) return textAt(descriptor, 0, size);
  // The lines at which both were cut are no entries.
  return textAt(descriptor, 0, END_BYTES) + NEWLINE + textAt(descriptor, size - END_BYTES, END_BYTES);
}

function textAt(descriptor: number, start: number, length: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, start));
}

/** Append entries to a transcript that only its owner can read. */
export async function appendEntries(file: string, entries: readonly SessionStoreEntry[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a+', 0o600);
  try {
    const lines = entries.map((entry) => JSON.stringify(entry) + NEWLINE).join('');
    // A line that a crash or a full disk cut short ends here: what follows must not be glued to it.
    await handle.appendFile((await isTorn(handle)) ? NEWLINE + lines : lines);
  } finally {
    await handle.close();
  }
}

function entriesIn(text: string): SessionStoreEntry[] {
  return text.split(NEWLINE).flatMap((line) => parseEntry(line) ?? []);
}

async function readText(handle: FileHandle, start: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return buffer.toString('utf8', 0, bytesRead);
}

async function isTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  return size > 0 && (await readText(handle, size - 1, 1)) !== NEWLINE;
}
