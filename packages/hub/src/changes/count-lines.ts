import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '@signalbox/protocol';
import type { ChangedFile } from '@signalbox/protocol/hub';

/** As much of a file as git looks at to tell whether it is text. */
const LOOKED_AT = 8000;

const NEWLINE = 0x0a;

/** The lines of a file that git does not know; unknown for what is long, and for what is no plain file. */
export async function countLines(
  root: string,
  path: string,
): Promise<Pick<ChangedFile, 'added' | 'removed' | 'isBinary'>> {
  const unknown = { added: null, removed: null, isBinary: false };
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const file = await open(join(root, path), flags).catch(() => undefined);
  if (!file) return unknown;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > LIMITS.countedFileBytes.most) return unknown;
    const bytes = await file.readFile();
    if (bytes.subarray(0, LOOKED_AT).includes(0)) return { ...unknown, isBinary: true };
    let lines = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
    const isOpen = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
    return { added: lines + (isOpen ? 1 : 0), removed: 0, isBinary: false };
  } catch {
    // It was removed or made unreadable meanwhile.
    return unknown;
  } finally {
    await file.close();
  }
}
