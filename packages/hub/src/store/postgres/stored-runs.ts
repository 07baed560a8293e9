import type { Run } from '../sql/run.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { QUERIES } from './record-queries.ts';

export const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Make the partition of a week where there is none. */
export async function makePartition(connection: PostgresConnection, week: number): Promise<void> {
  await connection.ask(`CREATE TABLE IF NOT EXISTS run_${week} PARTITION OF run FOR VALUES IN (${week})`);
}

/** Store runs of sessions, named by their numbers, in the partition of a week. */
export async function insertRuns(
  connection: PostgresConnection,
  week: number,
  runs: readonly { session: number; run: Run }[],
): Promise<void> {
  let [uuids, body] = [1, 1];
  const places = runs.map(({ run }) => {
    const place = { uuids, body };
    uuids += run.count * 4;
    body += run.body.length;
    return place;
  });
  await connection.query(QUERIES.addRuns, [
    week,
    Buffer.concat(runs.map(({ run }) => run.uuidHashes())),
    Buffer.concat(runs.map(({ run }) => run.body)),
    runs.map(({ session }) => session),
    runs.map(({ run }) => run.first),
    runs.map(({ run }) => run.count),
    runs.map(({ run }) => run.checksum),
    runs.map(({ run }) => newestIn(run)),
    places.map((place) => place.uuids),
    places.map((place) => place.body),
    runs.map(({ run }) => run.body.length),
  ]);
}

/** The latest time of a run's entries; 0 when none of them is sound. */
export function newestIn(run: Run): number {
  const damaged = new Set(run.damaged());
  let newest = 0;
  for (let index = 0; index < run.count; index += 1)
    if (!damaged.has(run.first + index)) newest = Math.max(newest, run.place(index).time);
  return newest;
}
