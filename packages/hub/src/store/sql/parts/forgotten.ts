import type { ForgottenKind } from '../../retention.ts';
import { Statement, type Steps } from '../statement.ts';

/** What is removed in one commit: others must not wait. */
const FORGOTTEN_ROWS = 1000;

/** What of each kind may go, once it is old enough; what is open may not. */
const ENDED: Record<ForgottenKind, Statement<unknown>> = {
  prompts: ended('prompt', 'number', "state NOT IN ('waiting', 'taken') AND admitted_at < ?"),
  permissions: ended(
    'permission',
    'number',
    "state <> 'open' AND (state <> 'answered' OR is_delivered = 1) AND closed_at < ?",
  ),
  audit: ended('audit', 'id', 'time < ?'),
  devices: ended('device', 'number', 'revoked_at < ?'),
};

function ended(table: string, key: string, where: string): Statement<unknown> {
  const rows = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${FORGOTTEN_ROWS}`;
  return new Statement(`DELETE FROM ${table} WHERE ${key} IN (${rows})`);
}

/** Remove what ended before `time`, some at a time. Gives how many. */
export function* forget(kind: ForgottenKind, time: number): Steps<number> {
  return yield* ENDED[kind].run([time]);
}
