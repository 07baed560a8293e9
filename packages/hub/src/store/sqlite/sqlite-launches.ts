import type { Launch, Launches } from '../launch.ts';
import { SessionNotFoundError } from '../store-errors.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

/** Launches in their table. */
export class SqliteLaunches implements Immediate<Launches> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  keep(session: string, { spec, device }: Launch): void {
    if (!this.#queries.session.get([session])) throw new SessionNotFoundError(session);
    this.#queries.keep.run([session, JSON.stringify(spec), device]);
  }

  get(session: string): Launch | undefined {
    const row = this.#queries.get.get([session]);
    return (
      row && {
        spec: storedJson(row.spec, `the launch of session ${session}`),
        device: row.device,
      }
    );
  }
}

function prepareQueries(database: Database) {
  return {
    session: database.prepare('SELECT 1 FROM session WHERE id = ?'),
    keep: database.prepare('INSERT OR REPLACE INTO launch (session, spec, device) VALUES (?, ?, ?)'),
    get: database.prepare<{ spec: string; device: string }>(
      'SELECT spec, device FROM launch WHERE session = ?',
    ),
  };
}
