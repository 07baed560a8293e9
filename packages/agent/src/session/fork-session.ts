import { createWriteStream } from 'node:fs';
import { link, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LoadedSession } from './load-session.ts';
import { TranscriptWriteError } from './session-errors.ts';
import type { SessionPaths } from './session-paths.ts';

/**
 * Give a loaded conversation a transcript of its own, under a new id; the old one stays as it is.
 * Returns its lines. Throws `TranscriptWriteError`.
 */
export async function forkSession(
  loaded: LoadedSession,
  sessionId: string,
  sessionPaths: SessionPaths,
): Promise<readonly string[]> {
  const file = sessionPaths.transcriptOf(sessionId);
  const lines = forkedLines(loaded, sessionId);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(Readable.from(lines), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    if (loaded.fileHistory.length > 0) {
      await shareBackups(
        sessionPaths.backupsOf(basename(loaded.file, '.jsonl')),
        sessionPaths.backupsOf(sessionId),
      );
    }
  } catch (error) {
    throw new TranscriptWriteError(file, error);
  }
  return lines;
}

function forkedLines({ fileHistory, entries }: LoadedSession, sessionId: string): string[] {
  return [...fileHistory, ...entries.map((entry) => ({ ...entry, sessionId }))].map(
    (entry) => `${JSON.stringify(entry)}\n`,
  );
}

/** A backup is never changed once it is written, so that sessions can share it. */
async function shareBackups(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await link(join(from, name), join(to, name));
}
