import { constants, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { messageOf, SignalboxError } from '@signalbox/protocol';

/** A file cannot be written where it was asked for; nothing half done is left of it. */
export class FileNotWrittenError extends SignalboxError {
  constructor(file: string, why: string) {
    super('FILE_NOT_WRITTEN', `${file} was not written: ${why}.`);
  }
}

const IS_THERE = 'it is there already; --force replaces it';

/** Raises `FILE_NOT_WRITTEN` where {@link writeWholeFile} would, before anything is done for nothing. */
export function assertWritable(file: string, { replaces }: { replaces: boolean }): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (!there) return;
  if (!replaces) throw new FileNotWrittenError(file, IS_THERE);
  // A device or a folder in that place is nobody's earlier file.
  if (!there.isFile()) throw new FileNotWrittenError(file, 'it is no plain file');
}

/**
 * Write a file that only its owner reads, under its name once it is whole, on the disk and has passed `check`. One that is there is
 * kept unless `replaces`. Raises `FILE_NOT_WRITTEN`.
 */
export async function writeWholeFile<Checked>(
  file: string,
  chunks: AsyncIterable<string | Uint8Array>,
  check: (draft: string) => Promise<Checked>,
  { replaces }: { replaces: boolean },
): Promise<Checked> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await write(file, draft, chunks);
    const checked = await check(draft);
    await inItsPlace(draft, file, replaces);
    return checked;
  } finally {
    await rm(draft, { force: true });
  }
}

async function write(file: string, draft: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const opened = await attempt(file, () => open(draft, flags, 0o600));
  try {
    // What cannot be read is the error of whoever gives it.
    for await (const chunk of chunks) await attempt(file, () => opened.appendFile(chunk));
    await attempt(file, () => opened.sync());
  } finally {
    await opened.close();
  }
}

/** A name that is taken meanwhile is not taken over. */
async function inItsPlace(draft: string, file: string, replaces: boolean): Promise<void> {
  await attempt(file, () => (replaces ? rename(draft, file) : link(draft, file)));
}

async function attempt<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EEXIST') throw new FileNotWrittenError(file, IS_THERE);
    if (code === 'ENOENT') throw new FileNotWrittenError(file, 'there is no such folder');
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new FileNotWrittenError(file, 'there is no room for it');
    throw new FileNotWrittenError(file, messageOf(error));
  }
}
