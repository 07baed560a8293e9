import { databaseAddress } from '../postgres/database-address.ts';
import { storeErrorFor } from '../postgres/postgres-errors.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { CopySource, CopyTarget } from './copy-sides.ts';
import { type CopyProgress, type CopyReport, copyStore } from './copy-store.ts';
import { PostgresCopySource } from './postgres-copy-source.ts';
import { PostgresCopyTarget } from './postgres-copy-target.ts';
import { SqliteCopySource } from './sqlite-copy-source.ts';
import { SqliteCopyTarget } from './sqlite-copy-target.ts';

/** Where a store lies that is copied from or to. */
export type CopyPlace =
  /** A file of SQLite. A snapshot is a copy of what a running hub goes on with. */
  | { file: string; isSnapshot?: boolean }
  /** The address of a PostgreSQL database. */
  | { database: string };

/** What is copied, and where to. */
export interface CopyPlaces {
  from: CopyPlace;
  to: CopyPlace;
}

/** Copy a store, on this thread. Raises a `StoreError`. */
export async function copyBetween(
  { from, to }: CopyPlaces,
  onProgress?: (progress: CopyProgress) => void,
): Promise<CopyReport> {
  const shown = [from, to].flatMap((place) =>
    'database' in place ? [databaseAddress(place.database).shown] : [],
  );
  const source = await openSource(from);
  let target: CopyTarget | undefined;
  try {
    target = await openTarget(to, source.installation);
    return await copyStore({ source, target }, onProgress);
  } catch (error) {
    throw storeErrorFor(error, shown.join(' or '));
  } finally {
    await target?.close();
    await source.close();
  }
}

async function openSource(place: CopyPlace): Promise<CopySource> {
  if ('database' in place) return PostgresCopySource.open(databaseAddress(place.database));
  // What a killed hub has left is put in order by the store itself.
  if (!place.isSnapshot) await (await openSqliteStore(place.file)).close();
  return new SqliteCopySource(place.file, { isFinal: !place.isSnapshot });
}

async function openTarget(place: CopyPlace, installation: string): Promise<CopyTarget> {
  return 'database' in place
    ? PostgresCopyTarget.open(databaseAddress(place.database), installation)
    : new SqliteCopyTarget(place.file, installation);
}
