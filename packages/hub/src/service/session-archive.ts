import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { exportSession } from '../store/session-file.ts';
import type { Store } from '../store/store.ts';

/** Entries that were to be taken away cannot be written to a file first. They stay. */
export class ArchiveNotWrittenError extends SignalboxError {
  constructor(file: string, why: string) {
    super('ARCHIVE_NOT_WRITTEN', `${file} was not written: ${why}. The entries for it stay where they are.`);
  }
}

/** Write the entries of a session up to one to a file, in the form of an export; settles when it is on the disk. */
export async function archiveSession(
  store: Store,
  folder: string,
  { session, from, to }: { session: string; from: number; to: number },
): Promise<string> {
  const file = join(folder, session, `${from}-${to}.jsonl`);
  const draft = `${file}.part`;
  try {
    await mkdir(join(folder, session), { recursive: true, mode: 0o700 });
    const opened = await open(draft, 'w', 0o600);
    try {
      for await (const line of exportSession(store, session, to)) await opened.appendFile(line);
      await opened.sync();
    } finally {
      await opened.close();
    }
    await rename(draft, file);
    const holder = await open(join(folder, session), 'r');
    try {
      await holder.sync();
    } finally {
      await holder.close();
    }
    return file;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new ArchiveNotWrittenError(file, messageOf(error));
  }
}
