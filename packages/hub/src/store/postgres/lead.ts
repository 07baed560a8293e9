import { setTimeout as pause } from 'node:timers/promises';
import { StoreInUseError } from '../store-errors.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { assertWhole, LOCKS } from './schema.ts';

/** How long the lease of the leading node is good for, on the clock of the database, unless it is renewed. */
export const LEASE_MS = 10_000;

/** How long a leader whose connection is gone, or whose lease has ended, is left to come back. */
const GRACE_MS = 1000;

/** How often it is looked whether the lead is free. */
const LOOK_MS = 100;

/** How long a backend that was ended may take to let go of its locks. */
const LET_GO_MS = 2000;

/** Who leads, as the database knows it. */
export interface LeadState {
  /** That of the leader's opening; 0 before the first one. */
  generation: number;
  node: string;
  /** When its lease ends, with all digits: compared, and not read. */
  until: string;
  isReleased: boolean;
  isLapsed: boolean;
  /** The backend of the leader's connection; null when it has none. */
  holder: number | null;
}

/** Only the leading node writes to a database. Its presence is a lock, and decides nothing: the row of the lease does. */
export const LEAD_STATE = `SELECT generation, node, until::text AS until, until = '-infinity' AS "isReleased",
    until <= clock_timestamp() AS "isLapsed",
    (SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database()
      WHERE locktype = 'advisory' AND classid = ${LOCKS.of} AND objid = ${LOCKS.hub} AND granted LIMIT 1) AS holder
  FROM lead`;

/** Sees when the lead is free to take. */
export class LeadWatch {
  readonly #connection: PostgresConnection;
  readonly #node: string;
  #first: { state: LeadState; at: number } | undefined;

  /** `node` is who asks: it may follow its own earlier process at once. */
  constructor(connection: PostgresConnection, node: string) {
    this.#connection = connection;
    this.#node = node;
  }

  async look(): Promise<LeadState & { isFree: boolean }> {
    const [state] = await this.#connection.ask<LeadState>(LEAD_STATE);
    if (!state) throw new Error('the row of the lead is missing');
    const { generation, until } = state;
    const known = this.#first?.state;
    if (known?.generation !== generation || known.until !== until || isPresent(state))
      this.#first = { state, at: performance.now() };
    return { ...state, isFree: this.#isFree(state) };
  }

  #isFree(state: LeadState): boolean {
    if (isPresent(state)) return false;
    const isOwn = this.#node !== '' && state.node === this.#node;
    if (state.holder === null && (state.isReleased || isOwn)) return true;
    return performance.now() - (this.#first?.at ?? Infinity) >= GRACE_MS;
  }
}

/** A hub of an earlier version knows no lease, and has the lock alone. */
export function isPresent({ holder, isLapsed, generation }: LeadState): boolean {
  return holder !== null && (!isLapsed || generation === 0);
}

/**
 * Take the lead, and give the generation of the new opening: undefined when somebody else was faster. It is one statement that
 * compares and takes; the leader before cannot write from then on, whatever it believes.
 */
export async function takeLead(
  connection: PostgresConnection,
  node: string,
  seen: LeadState,
): Promise<number | undefined> {
  // One that was stopped in the middle of a transaction has rows locked, and will not let go of them by itself.
  if (seen.holder !== null) await connection.ask('SELECT pg_terminate_backend($1)', [seen.holder]);
  const generation = await connection.transaction(async () => {
    const [drawn] = await connection.ask<{ number: number }>(
      'UPDATE generation SET number = number + 1 RETURNING number',
    );
    const number = drawn?.number ?? 0;
    // A copy that begins at the same moment has looked at that row first, or sees the new number.
    await assertWhole(connection);
    await connection.ask('INSERT INTO opening VALUES ($1, 0)', [number]);
    await connection.ask('DELETE FROM opening WHERE generation < $1 - 1000', [number]);
    const taken = await connection.ask(
      `UPDATE lead SET generation = $1, node = $2, until = clock_timestamp() + $3 * interval '1 millisecond'
        WHERE generation = $4 AND until = CAST($5 AS timestamptz) RETURNING 1`,
      [number, node, LEASE_MS, seen.generation, seen.until],
    );
    return taken.length > 0 ? number : undefined;
  });
  if (generation !== undefined) await showPresence(connection);
  return generation;
}

/** Take the lead within some time. Raises `STORE_IN_USE`. */
export async function lead(
  connection: PostgresConnection,
  { node, shown, patienceMs }: { node: string; shown: string; patienceMs: number },
): Promise<number> {
  const watch = new LeadWatch(connection, node);
  const end = performance.now() + patienceMs;
  for (;;) {
    const state = await watch.look();
    const generation = state.isFree ? await takeLead(connection, node, state) : undefined;
    if (generation !== undefined) return generation;
    // Whoever can follow another node does so at once; one's own process of before may be about to go.
    const mayFollow = node !== '' && state.node !== node && isPresent(state);
    if (mayFollow || performance.now() > end) throw new StoreInUseError(shown);
    await pause(LOOK_MS);
  }
}

/** Hold the lock that says that the leader is there. Without it another node takes the lead sooner than it has to. */
export async function showPresence(connection: PostgresConnection): Promise<void> {
  const end = performance.now() + LET_GO_MS;
  for (;;) {
    const [row] = await connection.ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      LOCKS.of,
      LOCKS.hub,
    ]);
    if (row?.taken || performance.now() > end) return;
    await pause(LOOK_MS);
  }
}
