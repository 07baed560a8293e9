import { closeSync, openSync, readSync } from 'node:fs';
import { assertKnown } from './migrations.ts';

/** Where a database file says its version, in four bytes. */
const VERSION_AT = 60;

/** Raises `STORE_TOO_NEW` for a database of a newer version. It is told also of one that another process has open. */
export function assertVersionKnown(file: string): void {
  const bytes = Buffer.alloc(4);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, bytes, 0, bytes.length, VERSION_AT);
  } finally {
    closeSync(opened);
  }
  assertKnown(bytes.readUInt32BE());
}
