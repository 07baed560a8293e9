import { randomBytes } from 'node:crypto';
import type { Disk } from '../disk.ts';
import type { InSteps } from '../sql/part.ts';
import { Statement, type Steps } from '../sql/statement.ts';

/** More than a page, so that it does not fit where a line would not. */
const PROBE_BYTES = 64 * 1024;

const QUERIES = { probe: new Statement('UPDATE probe SET body = ?') };

/** Writes to a table that holds nothing. */
export class PostgresDisk implements InSteps<Disk> {
  *probe(): Steps<void> {
    yield* QUERIES.probe.run([randomBytes(PROBE_BYTES)]);
  }
}
