import { chmodSync } from 'node:fs';

/** Nobody but their owner reads a database and its log. SQLite gives a log that it makes the mode of its database. */
export function keepPrivate(database: string): void {
  for (const file of [database, `${database}-wal`]) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // There is no log yet, or the file system knows no modes.
    }
  }
}
