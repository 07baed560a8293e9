import { closeSync, fdatasyncSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const STEP_BYTES = 1024 * 1024;
const ZEROS = new Uint8Array(STEP_BYTES);

/** A disk with room for less than this many logs is left alone: others need it more, and what is full must be seen at once. */
const ROOM_FACTOR = 8;

/**
 * Keeps the log of a database longer than what was written to it, up to the length at which it is written from its start again.
 * To write over a part of a file is synced in less than half of the time that it takes to make the file longer. What comes
 * after the last commit in a log means nothing to SQLite. Only for the one who holds the database's lock.
 */
export class LogReserve {
  readonly #database: string;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(database: string, maxBytes: number) {
    this.#database = database;
    this.#maxBytes = maxBytes;
    this.keepAhead(0);
  }

  /** The log was written up to here. It doubles, so that one that stays short costs little. */
  keepAhead(usedBytes: number): void {
    if (this.#bytes >= Math.min(usedBytes + STEP_BYTES, this.#maxBytes)) return;
    const wanted = Math.min(Math.max(2 * this.#bytes, usedBytes + STEP_BYTES), this.#maxBytes);
    // Where there is no room it grows as it is written.
    this.#bytes = this.#lengthen(wanted) ? wanted : Number.POSITIVE_INFINITY;
  }

  #lengthen(bytes: number): boolean {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.#database));
      if (bavail * bsize < this.#maxBytes * ROOM_FACTOR) return false;
      const log = openSync(`${this.#database}-wal`, 'r+');
      try {
        for (let { size } = fstatSync(log); size < bytes; size += STEP_BYTES)
          writeSync(log, ZEROS, 0, Math.min(STEP_BYTES, bytes - size), size);
        fdatasyncSync(log);
      } finally {
        closeSync(log);
      }
      return true;
    } catch {
      return false;
    }
  }
}
