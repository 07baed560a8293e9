import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LoadedSession } from './load-session.ts';
import { TranscriptWriteError } from './session-errors.ts';
import type { SessionPlaces } from './session-places.ts';

/**
 * Give a loaded conversation a transcript of its own, under a new id; the old one stays as it is.
 * Throws `TranscriptWriteError`.
 */
export async function forkSession(
  loaded: LoadedSession,
  sessionId: string,
  places: SessionPlaces,
): Promise<void> {
  const file = places.transcriptOf(sessionId);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(
      Readable.from(forkedLines(loaded, sessionId)),
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
    if (loaded.fileHistory.length > 0) {
      await shareBackups(places.backupsOf(basename(loaded.file, '.jsonl')), places.backupsOf(sessionId));
    }
  } catch (error) {
    throw new TranscriptWriteError(file, error);
  }
}

function* forkedLines({ fileHistory, entries }: LoadedSession, sessionId: string): Generator<string> {
  for (const entry of fileHistory) yield `${JSON.stringify(entry)}\n`;
  for (const entry of entries) yield `${JSON.stringify({ ...entry, sessionId })}\n`;
}

/** A backup is never changed once it is written, so that sessions can share it. */
async function shareBackups(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await link(join(from, name), join(to, name));
}
