/** Copies of a store that lies in a file. */
export interface Backups {
  /**
   * A copy of everything as it is at one moment, checked before it is given; commits go on meanwhile. Whoever gets it reads it
   * to its end, or calls `return`. Raises `STORE_FULL` where there is no room for it, `STORE_CORRUPT` when the copy is not sound.
   */
  make(): Promise<Backup>;
}

/** The bytes of a copy. */
export interface Backup extends AsyncIterableIterator<Uint8Array> {
  readonly bytes: number;
}
