import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { messageOf } from '@signalbox/protocol';
import { ProjectFileError } from './project-file-error.ts';

/** A file that is larger is no instruction that somebody wrote. */
export const MAX_FILE_BYTES = 256 * 1024;

/** The text of a file, with line feeds only. Throws {@link ProjectFileError}, with the system's error as its cause. */
export async function readText(path: string): Promise<string> {
  try {
    return await readBounded(path);
  } catch (error) {
    if (error instanceof ProjectFileError) throw error;
    throw new ProjectFileError(path, `cannot be read (${messageOf(error)})`, error);
  }
}

async function readBounded(path: string): Promise<string> {
  // Opening a named pipe would otherwise wait for somebody to write to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new ProjectFileError(path, 'is not a plain file');
    const bytes = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > MAX_FILE_BYTES) {
      throw new ProjectFileError(path, `is larger than ${MAX_FILE_BYTES / 1024} KiB`);
    }
    return decode(bytes.subarray(0, bytesRead), path);
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch (error) {
    throw new ProjectFileError(path, 'is not UTF-8 text', error);
  }
}
