import type { Client, ClientConfig } from 'pg';
import type { Dialect, SqlValue, Statement, Steps } from '../sql/statement.ts';
import type { DatabaseAddress } from './database-address.ts';
import { isReadOnly } from './postgres-errors.ts';
import { SCHEMA } from './schema.ts';

const POSTGRES: Dialect = {
  isOneOf: (column) => `${column} IN (SELECT json_array_elements_text(CAST(? AS json)))`,
  textAt: (column, key) => `text_at(${column}, '${key}')`,
  greater: (one, other) => `greatest(${one}, ${other})`,
};

/** What the database knows connections of hubs by. */
export const APPLICATION = 'signalbox';

/** How long a database may take to answer a new connection. */
const CONNECT_MS = 5000;

/** How long one query may take: a database that has gone without a word is not waited for. */
const QUERY_MS = 120_000;

/** How long a transaction may wait for what its node says next. */
const IDLE_TRANSACTION_MS = 10_000;

/** A query with the name under which a connection has prepared it. */
interface Prepared {
  name: string;
  text: string;
  writes: boolean;
}

const prepared = new Map<Statement<unknown>, Prepared>();

/** What a connection takes as a value. */
export type PostgresValue = SqlValue | readonly (string | number | null)[];

/** No server of an address takes writes: a standby may be on its way to become the primary. */
class NoPrimaryError extends Error {
  /** PostgreSQL's own for a server that cannot be used yet. */
  readonly code = '57P03';

  constructor() {
    super('no server of this address takes writes');
  }
}

/** A connection to a database. Queries are sent without waiting for the answers of those before. */
export class PostgresConnection {
  readonly #client: Client;
  #isInTransaction = false;
  #isEnded = false;

  private constructor(client: Client) {
    this.#client = client;
    // Whoever asks next hears of it.
    client.on('error', () => {
      this.#isEnded = true;
    });
    client.on('end', () => {
      this.#isEnded = true;
    });
  }

  /** Connect to the first server that can be used. */
  static async open({ servers, wantsWrites }: DatabaseAddress): Promise<PostgresConnection> {
    let problem: unknown;
    for (const server of servers) {
      try {
        const connection = await PostgresConnection.#connect(server);
        if (!wantsWrites || (await connection.#takesWrites())) return connection;
        await connection.end();
        problem ??= new NoPrimaryError();
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  static async #connect(server: string): Promise<PostgresConnection> {
    const client = await newClient({
      connectionString: server,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      application_name: APPLICATION,
      pipeline: true,
    });
    const connection = new PostgresConnection(client);
    await client.connect();
    await connection.ask(`SET search_path = ${SCHEMA}`);
    // A node that is stopped in the middle of a transaction must not keep its rows locked.
    await connection.ask(`SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`);
    return connection;
  }

  async #takesWrites(): Promise<boolean> {
    const [row] = await this.ask<{ writes: boolean }>(
      "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS writes",
    );
    return row?.writes ?? false;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  /** Ask something that is asked once. */
  async ask<Row = unknown>(text: string, values?: readonly PostgresValue[]): Promise<Row[]> {
    const query = values === undefined ? { text } : { text, values: values.map(sendable) };
    const { rows } = await this.#client.query<object>(query).catch((error: unknown) => this.#fail(error));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever writes a query says what its rows are
    return rows as Row[];
  }

  /** Ask something that is asked often: prepared once. */
  async query<Row = unknown>(
    statement: Statement<Row>,
    values: readonly PostgresValue[],
  ): Promise<{ rows: Row[]; count: number }> {
    const { name, text, writes } = preparedFor(statement);
    if (writes) this.begin();
    const { rows, rowCount } = await this.#client
      .query<object>({ name, text, values: values.map(sendable) })
      .catch((error: unknown) => this.#fail(error));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return { rows: rows as Row[], count: rowCount ?? 0 };
  }

  /** A connection that was made while a database could only be read may stay so: whoever asks next makes another one. */
  #fail(error: unknown): never {
    if (isReadOnly(error)) void this.end();
    throw error;
  }

  /** Work that is done query by query. A failure of the database ends it. */
  async work<Result>(steps: Steps<Result>): Promise<Result> {
    let answer: unknown;
    for (;;) {
      const { done, value } = steps.next(answer);
      if (done) return value;
      const { statement, kind, values } = value;
      const { rows, count } = await this.query(statement, values);
      answer = kind === 'all' ? rows : kind === 'get' ? rows[0] : count;
    }
  }

  /** From now on it is all or nothing. It is sent with the query that follows. */
  begin(): void {
    if (this.#isInTransaction) return;
    this.#isInTransaction = true;
    // If it fails, so does what follows it.
    this.#client.query('BEGIN').catch(() => {});
  }

  async commit(): Promise<void> {
    if (!this.#isInTransaction) return;
    const { command } = await this.#client.query('COMMIT');
    this.#isInTransaction = false;
    // A transaction in which something failed ends like this, and nothing of it is stored.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  }

  async rollBack(): Promise<void> {
    if (!this.#isInTransaction) return;
    this.#isInTransaction = false;
    await this.#client.query('ROLLBACK');
  }

  /** All of it or nothing. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    this.begin();
    try {
      const result = await work();
      await this.commit();
      return result;
    } catch (error) {
      if (!this.#isEnded) await this.rollBack().catch(() => {});
      throw error;
    }
  }

  /** Hear what is told on a channel of the database, as long as this connection lasts. */
  async listen(channel: string, onTold: (what: string) => void): Promise<void> {
    this.#client.on('notification', (told) => {
      if (told.channel === channel) onTold(told.payload ?? '');
    });
    await this.ask(`LISTEN ${channel}`);
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#client.end().catch(() => {});
  }
}

/** The driver is loaded by whoever has a database: what it asks of the platform alone is a tenth of the start of a hub without one. */
async function newClient(config: ClientConfig): Promise<Client> {
  const pg = await import('pg');
  const types = new pg.TypeOverrides();
  // Large numbers as numbers: those of the store fit.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  return new pg.Client({ ...config, types });
}

/** No text of PostgreSQL holds a NUL. */
function sendable(value: PostgresValue): unknown {
  if (Array.isArray(value)) return value.map((one: string | number | null) => sendable(one));
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

function preparedFor(statement: Statement<unknown>): Prepared {
  const known = prepared.get(statement);
  if (known) return known;
  let number = 0;
  const text = statement.textIn(POSTGRES).replaceAll('?', () => {
    number += 1;
    return `$${number}`;
  });
  const writes = !/^\s*SELECT/i.test(text) || text.includes('FOR UPDATE');
  const made = { name: `s${prepared.size}`, text, writes };
  prepared.set(statement, made);
  return made;
}
