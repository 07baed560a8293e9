import type { JsonObject } from '@signalbox/protocol';
import type { SpendGroup } from '@signalbox/protocol/hub';
import type { FolderSpend, LineSpend, Spend, SpendQuery, SpendSum } from '../spend.ts';
import type { Database } from './database.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

type SumRow = Omit<SpendSum, 'key'> & { key: string };

/** What was spent, a row for each day, session, folder, model and person: few, however much was said. */
export class SqliteSpend implements Immediate<Spend> {
  readonly #database: Database;
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #sums = new Map<SpendGroup, ReturnType<typeof prepareSums>>();

  constructor(database: Database) {
    this.#database = database;
    this.#queries = prepareQueries(database);
  }

  /** Within the commit of the line. */
  add(session: string, { rows, meter }: LineSpend): void {
    for (const { day, folder, model, person, usd, input, output, cacheWrite, cacheRead, turns } of rows) {
      const place = [day, session, folder ?? '', model, person ?? ''];
      this.#queries.begin.run(place);
      this.#queries.add.run([usd, input, output, cacheWrite, cacheRead, turns, ...place]);
    }
    this.#queries.keepMeter.run([session, JSON.stringify(meter)]);
  }

  sums({ by, since = '', until = '9999', session, folder }: SpendQuery): SpendSum[] {
    const query = this.#sums.get(by) ?? prepareSums(this.#database, by);
    this.#sums.set(by, query);
    const below = folder === undefined ? null : `${folder === '/' ? '' : folder}/`;
    return query
      .all([since, until, session ?? null, session ?? null, folder ?? null, folder ?? null, below, below])
      .map(({ key, ...sum }) => ({ key: key === '' ? null : key, ...sum }));
  }

  folders(day: string): FolderSpend[] {
    return this.#queries.folders.all([day, day]).map((row) => ({ ...row, folder: row.folder || null }));
  }

  meter(session: string): JsonObject | undefined {
    const row = this.#queries.meter.get([session]);
    return row && storedJson(row.meter, `what session ${session} has spent`);
  }
}

function prepareQueries(database: Database) {
  // A correction of the day before must not leave a day at less than nothing.
  const added = ['usd', 'input', 'output', 'cache_write', 'cache_read', 'turns']
    .map((name) => `${name} = max(0, ${name} + ?)`)
    .join(', ');
  return {
    begin: database.prepare('INSERT OR IGNORE INTO spend VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)'),
    add: database.prepare(
      `UPDATE spend SET ${added} WHERE day = ? AND session = ? AND folder = ? AND model = ? AND person = ?`,
    ),
    keepMeter: database.prepare('INSERT OR REPLACE INTO spend_meter (session, meter) VALUES (?, ?)'),
    meter: database.prepare<{ meter: string }>('SELECT meter FROM spend_meter WHERE session = ?'),
    folders: database.prepare<FolderSpend & { folder: string }>(
      `SELECT folder, sum(usd) AS usd, sum(input + output + cache_write) AS tokens,
        sum(CASE WHEN day = ? THEN usd ELSE 0 END) AS usdOfDay,
        sum(CASE WHEN day = ? THEN input + output + cache_write ELSE 0 END) AS tokensOfDay
        FROM spend GROUP BY folder`,
    ),
  };
}

function prepareSums(database: Database, by: SpendGroup) {
  const order = by === 'day' ? 'key' : 'usd DESC, sum(input + output + cache_write) DESC, key';
  return database.prepare<SumRow>(
    `SELECT ${by} AS key, sum(usd) AS usd, sum(input) AS input, sum(output) AS output,
      sum(cache_write) AS cacheWrite, sum(cache_read) AS cacheRead, sum(turns) AS turns
      FROM spend WHERE day BETWEEN ? AND ? AND (? IS NULL OR session = ?)
      AND (? IS NULL OR folder = ? OR substr(folder, 1, length(?)) = ?)
      GROUP BY ${by} ORDER BY ${order}`,
  );
}
