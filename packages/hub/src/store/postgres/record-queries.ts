import { MAX_WINDOW_BYTES } from '../record.ts';
import { Statement } from '../sql/statement.ts';
import type { SessionRow } from './held-session.ts';

/** A run as it is stored; without a body where the window has enough without it. */
export interface RunRow {
  first: number;
  count: number;
  checksum: number;
  body: Uint8Array | null;
}

const SESSION =
  'SELECT number, id, generation, link_epoch, link_count, last, trimmed, first_week, last_week FROM session';
const RUNS = 'FROM run WHERE session = ? AND week BETWEEN ? AND ?';
/** Sums up what the runs before one take: a sum needs their lengths, and reads no body. */
const BEFORE = 'sum(octet_length(body)) OVER';
const IN_REACH = `CASE WHEN before < ${MAX_WINDOW_BYTES} THEN body END AS body`;

export const QUERIES = {
  session: new Statement<SessionRow>(`${SESSION} WHERE id = ?`),
  hold: new Statement<SessionRow>(`${SESSION} WHERE id = ? FOR UPDATE`),
  /** In one order, so that two nodes do not wait for each other. */
  holdAll: new Statement<SessionRow>(`${SESSION} WHERE id = ANY(?) ORDER BY number FOR UPDATE`),
  /** One piece of bytes for all: an array of them would travel as text. */
  addRuns: new Statement(
    `INSERT INTO run (week, session, first, count, checksum, newest, uuids, body)
      SELECT CAST(? AS int), v.session, v.first, v.count, v.checksum, v.newest,
        substring(CAST(? AS bytea) FROM v.uuids_at FOR v.count * 4),
        substring(CAST(? AS bytea) FROM v.body_at FOR v.body_bytes)
      FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS int[]), CAST(? AS bigint[]),
        CAST(? AS double precision[]), CAST(? AS int[]), CAST(? AS int[]), CAST(? AS int[]))
        AS v (session, first, count, checksum, newest, uuids_at, body_at, body_bytes)`,
  ),
  /** The generation is compared once more: nobody can have changed it since the row was locked. */
  save: new Statement(
    `UPDATE session SET last = v.last, bytes = session.bytes + v.bytes, link_epoch = v.epoch, link_count = v.received,
        first_week = v.first_week, last_week = v.last_week
      FROM unnest(CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS bigint[]), CAST(? AS text[]),
        CAST(? AS double precision[]), CAST(? AS int[]), CAST(? AS int[]))
        AS v (number, generation, last, bytes, epoch, received, first_week, last_week)
      WHERE session.number = v.number AND session.generation <= v.generation`,
  ),
  own: new Statement('UPDATE session SET generation = ? WHERE number = ? AND generation <= ?'),
  /**
   * Positions are given out at the end of a transaction, under the lock of one row: whoever has a lower one is durable before,
   * on whatever node. The mark tells this opening after a cut whether its last transaction is; one whose number was passed over
   * meanwhile fails here. So does a node that does not lead, and nothing of the transaction is stored: who takes the lead waits for
   * the row that is locked from here to the end.
   */
  end: new Statement<{ last: number }>(
    `WITH given AS (UPDATE updates SET last = last + ? RETURNING last),
      base AS (SELECT last - ? AS number FROM given),
      marked AS (UPDATE opening SET batch = ? WHERE generation = ? AND batch < ? RETURNING generation),
      moved AS (UPDATE session SET position = base.number + v.at
        FROM base, unnest(CAST(? AS text[]), CAST(? AS bigint[])) AS v (id, at) WHERE session.id = v.id),
      gone AS (INSERT INTO removed_session SELECT base.number + v.at, v.id
        FROM base, unnest(CAST(? AS text[]), CAST(? AS bigint[])) AS v (id, at))
      SELECT last, assert_leading((SELECT generation FROM marked)) FROM given`,
  ),
  mark: new Statement(
    `WITH marked AS (UPDATE opening SET batch = ? WHERE generation = ? AND batch < ? RETURNING generation)
      SELECT assert_leading((SELECT generation FROM marked))`,
  ),
  marked: new Statement<{ batch: number }>('SELECT batch FROM opening WHERE generation = ? FOR UPDATE'),
  passOver: new Statement('UPDATE opening SET batch = ? WHERE generation = ?'),
  position: new Statement<{ last: number }>('SELECT last FROM updates'),
  assertLeading: new Statement('SELECT assert_leading(?)'),
  removeRuns: new Statement(`DELETE ${RUNS}`),
  up: new Statement<RunRow>(
    `SELECT first, count, checksum, ${IN_REACH} FROM (
      SELECT first, count, checksum, body, ${BEFORE} (ORDER BY first) - octet_length(body) AS before FROM (
        SELECT first, count, checksum, body ${RUNS}
          AND first >= coalesce((SELECT first ${RUNS} AND first <= ? ORDER BY first DESC LIMIT 1), 0) AND first < ?
          ORDER BY first LIMIT ?) AS runs) AS sized ORDER BY first`,
  ),
  down: new Statement<RunRow>(
    `SELECT first, count, checksum, ${IN_REACH} FROM (
      SELECT first, count, checksum, body, ${BEFORE} (ORDER BY first DESC) - octet_length(body) AS before FROM (
        SELECT first, count, checksum, body ${RUNS} AND first <= ? AND first + count > ?
          ORDER BY first DESC LIMIT ?) AS runs) AS sized ORDER BY first`,
  ),
  withUuid: new Statement<RunRow>(
    `SELECT first, count, checksum, body ${RUNS} AND first > ? AND position(CAST(? AS bytea) IN uuids) > 0
      ORDER BY first LIMIT 1`,
  ),
  firstNewer: new Statement<RunRow>(
    `SELECT first, count, checksum, body ${RUNS} AND first + count > ? AND newest >= ? ORDER BY first LIMIT 1`,
  ),
  trim: new Statement('UPDATE session SET trimmed = ?, last = greatest(last, ?) WHERE number = ?'),
  countBytes: new Statement(
    `UPDATE session SET bytes = (SELECT coalesce(sum(octet_length(body)), 0) ${RUNS} AND first + count > ?) WHERE number = ?`,
  ),
  forgetSaid: new Statement('DELETE FROM said WHERE session = ? AND seq <= ?'),
};
