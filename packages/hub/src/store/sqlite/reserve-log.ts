import { closeSync, fdatasyncSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const STEP_BYTES = 1024 * 1024;

/** A disk with less than this many times of what is reserved is left alone: others need the room more. */
const ROOM_FACTOR = 8;

/**
 * Make the log of a database as long as it may get before it is written from its start again. To write over a part of a
 * file is synced in less than half of the time that it takes to make the file longer. What comes after the last commit
 * in a log means nothing to SQLite. Only for the one who holds the database's lock.
 */
export function reserveLog(database: string, bytes: number): void {
  try {
    const { bavail, bsize } = statfsSync(dirname(database));
    if (bavail * bsize < bytes * ROOM_FACTOR) return;
    const log = openSync(`${database}-wal`, 'r+');
    try {
      const zeros = new Uint8Array(STEP_BYTES);
      for (let { size } = fstatSync(log); size < bytes; size += STEP_BYTES)
        writeSync(log, zeros, 0, Math.min(STEP_BYTES, bytes - size), size);
      fdatasyncSync(log);
    } finally {
      closeSync(log);
    }
  } catch {
    // It grows as it is written, then.
  }
}
