import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

const EPOCH_BYTES = 9;

/** The openings of a database, this one included. */
export class Epochs {
  readonly current: { number: number; id: string };
  readonly #numbers = new Map<string, number>();

  constructor(database: Database) {
    // Short, because every entry that is shown carries it; random, because copies of a database must not share one.
    const id = randomBytes(EPOCH_BYTES).toString('base64url');
    database.prepare('INSERT INTO epoch (id, opened_at) VALUES (?, ?)').run([id, Date.now()]);
    for (const epoch of database
      .prepare<{ number: number; id: string }>('SELECT number, id FROM epoch')
      .all()) {
      this.#numbers.set(epoch.id, epoch.number);
    }
    this.current = { id, number: this.#numbers.get(id) ?? 0 };
  }

  /** Openings are numbered in their order; undefined for one that this database does not know of. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }
}
