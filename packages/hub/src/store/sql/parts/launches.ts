import type { Launch, Launches } from '../../launch.ts';
import { SessionNotFoundError } from '../../store-errors.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

/** Launches in their table. */
export class SqlLaunches implements InSteps<Launches> {
  *keep(session: string, { spec, device }: Launch): Steps<void> {
    if (!(yield* QUERIES.session.get([session]))) throw new SessionNotFoundError(session);
    yield* QUERIES.keep.run([session, JSON.stringify(spec), device]);
  }

  *get(session: string): Steps<Launch | undefined> {
    const row = yield* QUERIES.get.get([session]);
    return (
      row && {
        spec: storedJson(row.spec, `the launch of session ${session}`),
        device: row.device,
      }
    );
  }
}

const QUERIES = queries();

function queries() {
  return {
    session: new Statement('SELECT 1 FROM session WHERE id = ?'),
    keep: new Statement(`INSERT INTO launch (session, spec, device) VALUES (?, ?, ?)
        ON CONFLICT (session) DO UPDATE SET spec = excluded.spec, device = excluded.device`),
    get: new Statement<{ spec: string; device: string }>('SELECT spec, device FROM launch WHERE session = ?'),
  };
}
