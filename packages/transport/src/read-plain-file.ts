import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** More than any settings have. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a file that a repository may have brought along: a link there may lead to a device that has no end. Throws for
 * what is no plain file or too long, and what the system throws for a file that is missing.
 */
export function readPlainFile(path: string): string {
  // Opening a named pipe would otherwise wait for somebody to write to it.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a plain file');
    if (stats.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
