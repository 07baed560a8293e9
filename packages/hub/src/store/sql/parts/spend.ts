import type { JsonObject } from '@signalbox/protocol';
import type { SpendGroup } from '@signalbox/protocol/hub';
import type { FolderSpend, LineSpend, Spend, SpendQuery, SpendSum } from '../../spend.ts';
import type { InSteps } from '../part.ts';
import { type Dialect, Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

type SumRow = Omit<SpendSum, 'key'> & { key: string };

/** What was spent, a row for each day, session, folder, model and person: few, however much was said. */
export class SqlSpend implements InSteps<Spend> {
  /** Within the commit of the line. */
  *add(session: string, { rows, meter }: LineSpend): Steps<void> {
    for (const { day, folder, model, person, usd, input, output, cacheWrite, cacheRead, turns } of rows) {
      const place = [day, session, folder ?? '', model, person ?? ''];
      yield* QUERIES.begin.run(place);
      yield* QUERIES.add.run([usd, input, output, cacheWrite, cacheRead, turns, ...place]);
    }
    yield* QUERIES.keepMeter.run([session, JSON.stringify(meter)]);
  }

  *sums({ by, since = '', until = '9999', session, folder }: SpendQuery): Steps<SpendSum[]> {
    const below = folder === undefined ? null : `${folder === '/' ? '' : folder}/`;
    const place = [session ?? null, session ?? null, folder ?? null, folder ?? null, below, below];
    return (yield* SUMS[by].all([since, until, ...place])).map(({ key, ...sum }) => ({
      key: key === '' ? null : key,
      ...sum,
    }));
  }

  *folders(day: string): Steps<FolderSpend[]> {
    return (yield* QUERIES.folders.all([day, day])).map((row) => ({ ...row, folder: row.folder || null }));
  }

  *meter(session: string): Steps<JsonObject | undefined> {
    const row = yield* QUERIES.meter.get([session]);
    return row && storedJson(row.meter, `what session ${session} has spent`);
  }
}

const QUERIES = queries();

function queries() {
  // A correction of the day before must not leave a day at less than nothing.
  const added = (sql: Dialect) =>
    ['usd', 'input', 'output', 'cache_write', 'cache_read', 'turns']
      .map((name) => `${name} = ${sql.greater('0', `${name} + ?`)}`)
      .join(', ');
  return {
    begin: new Statement('INSERT INTO spend VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING'),
    add: new Statement(
      (sql) =>
        `UPDATE spend SET ${added(sql)} WHERE day = ? AND session = ? AND folder = ? AND model = ? AND person = ?`,
    ),
    keepMeter: new Statement(
      'INSERT INTO spend_meter (session, meter) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET meter = excluded.meter',
    ),
    meter: new Statement<{ meter: string }>('SELECT meter FROM spend_meter WHERE session = ?'),
    folders: new Statement<FolderSpend & { folder: string }>(
      `SELECT folder, sum(usd) AS usd, sum(input + output + cache_write) AS tokens,
        sum(CASE WHEN day = ? THEN usd ELSE 0 END) AS "usdOfDay",
        sum(CASE WHEN day = ? THEN input + output + cache_write ELSE 0 END) AS "tokensOfDay"
        FROM spend GROUP BY folder`,
    ),
  };
}

const SUMS: Record<SpendGroup, Statement<SumRow>> = {
  day: sumsBy('day'),
  session: sumsBy('session'),
  folder: sumsBy('folder'),
  model: sumsBy('model'),
  person: sumsBy('person'),
};

function sumsBy(by: SpendGroup): Statement<SumRow> {
  const order = by === 'day' ? 'key' : 'usd DESC, sum(input + output + cache_write) DESC, key';
  return new Statement<SumRow>(
    `SELECT ${by} AS key, sum(usd) AS usd, sum(input) AS input, sum(output) AS output,
      sum(cache_write) AS "cacheWrite", sum(cache_read) AS "cacheRead", sum(turns) AS turns
      FROM spend WHERE day BETWEEN ? AND ? AND (CAST(? AS TEXT) IS NULL OR session = ?)
      AND (CAST(? AS TEXT) IS NULL OR folder = ? OR substr(folder, 1, length(CAST(? AS TEXT))) = ?)
      GROUP BY ${by} ORDER BY ${order}`,
  );
}
