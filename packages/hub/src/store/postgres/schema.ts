import { StoreCopyUnfinishedError, StoreForeignError, StoreTooNewError } from '../store-errors.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** All of the store lies in a schema of this name. */
export const SCHEMA = 'signalbox';

/** Who migrates, and who is the hub of a database, holds these locks: "SgBx", and what for. */
export const LOCKS = { of: 0x53674278, migrate: 1, hub: 2, index: 3, copy: 4 } as const;

/** What a transaction fails with whose node does not lead, or whose lease has ended. */
export const NOT_LEADING = 'SB001';

/**
 * Each step brings a database from the version before to its own, which is its place in the list; never change one that was
 * released. Steps only add, as long as that can be done: `oldest` in `version` is the oldest program that can go on with the
 * database meanwhile, so that hubs of both versions may run while one after the other is replaced.
 *
 * Lines are kept as runs (see `Run`), one row for each session in a commit. Rows are partitioned by the week in which they came:
 * what retention has taken away of all sessions is then dropped with its partition, and leaves nothing to be cleaned up. A
 * session knows its first and its last week, so that a long past of others costs its readers nothing.
 */
export const MIGRATIONS: readonly { sql: string; oldest: number }[] = [
  {
    oldest: 1,
    sql: `
  CREATE TABLE generation (number bigint NOT NULL);
  INSERT INTO generation VALUES (0);
  CREATE TABLE opening (generation bigint PRIMARY KEY, batch bigint NOT NULL);
  CREATE TABLE updates (last bigint NOT NULL);
  INSERT INTO updates VALUES (0);

  CREATE FUNCTION text_at(value text, key text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN RETURN value::json ->> key; EXCEPTION WHEN others THEN RETURN NULL; END $$;

  CREATE TABLE session (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    state text NOT NULL,
    facts text NOT NULL,
    created_at double precision NOT NULL,
    updated_at double precision NOT NULL,
    position bigint NOT NULL DEFAULT 0,
    generation bigint NOT NULL DEFAULT 0,
    link_epoch text,
    link_count double precision,
    last bigint NOT NULL DEFAULT 0,
    trimmed bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    first_week int,
    last_week int
  );
  CREATE INDEX session_position ON session (position);
  CREATE INDEX session_imported ON session (id) WHERE state = 'importing';
  CREATE TABLE removed_session (position bigint PRIMARY KEY, session text NOT NULL);

  CREATE TABLE run (
    week int NOT NULL,
    session bigint NOT NULL,
    first bigint NOT NULL,
    count int NOT NULL,
    checksum bigint NOT NULL,
    newest double precision NOT NULL,
    uuids bytea NOT NULL,
    body bytea NOT NULL
  ) PARTITION BY LIST (week);
  ALTER TABLE run ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE UNIQUE INDEX run_place ON run (session, first, week);

  CREATE TABLE prompt (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    client_id text NOT NULL,
    author text NOT NULL,
    content text NOT NULL,
    delivery text NOT NULL,
    state text NOT NULL,
    admitted_at double precision NOT NULL,
    sent text,
    place double precision,
    UNIQUE (session, client_id)
  );
  CREATE INDEX prompt_pending ON prompt (session, number) WHERE state IN ('waiting', 'taken');

  CREATE TABLE permission (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    request_id text NOT NULL,
    request text NOT NULL,
    parent text,
    state text NOT NULL,
    opened_at double precision NOT NULL,
    closed_at double precision,
    answer text,
    is_delivered int NOT NULL DEFAULT 0,
    UNIQUE (session, request_id)
  );
  CREATE INDEX permission_open ON permission (number) WHERE state = 'open';
  CREATE INDEX permission_undelivered ON permission (session, number) WHERE state = 'answered' AND is_delivered = 0;

  CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    time double precision NOT NULL,
    session text,
    subject text,
    author text NOT NULL,
    what text NOT NULL,
    why text
  );
  CREATE INDEX audit_session ON audit (session, id);

  CREATE TABLE device (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    grants text NOT NULL,
    token_hash bytea NOT NULL,
    created_at double precision NOT NULL,
    last_seen_at double precision,
    revoked_at double precision
  );
  CREATE TABLE sign_in_link (
    id text PRIMARY KEY, grants text NOT NULL, hash bytea NOT NULL, expires_at double precision NOT NULL
  );
  CREATE INDEX sign_in_link_age ON sign_in_link (expires_at);

  CREATE TABLE kept_answer (
    principal text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    status int NOT NULL,
    body text NOT NULL,
    expires_at double precision NOT NULL,
    made text NOT NULL,
    begun_at double precision NOT NULL,
    PRIMARY KEY (principal, key)
  );
  CREATE INDEX kept_answer_age ON kept_answer (expires_at);

  CREATE TABLE launch (
    session text PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    spec text NOT NULL,
    device text NOT NULL
  );

  CREATE TABLE loop (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    state text NOT NULL,
    facts text NOT NULL
  );
  CREATE INDEX loop_alive ON loop (number) WHERE state <> 'ended';
  CREATE TABLE loop_iteration (
    loop text NOT NULL REFERENCES loop (id) ON DELETE CASCADE,
    number bigint NOT NULL,
    facts text NOT NULL,
    PRIMARY KEY (loop, number)
  );

  CREATE TABLE comment (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    facts text NOT NULL
  );
  CREATE INDEX comment_session ON comment (session, number);

  CREATE TABLE rule (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text REFERENCES session (id) ON DELETE CASCADE,
    facts text NOT NULL
  );
  CREATE INDEX rule_session ON rule (session) WHERE session IS NOT NULL;

  CREATE TABLE spend (
    day text NOT NULL,
    session text NOT NULL,
    folder text NOT NULL,
    model text NOT NULL,
    person text NOT NULL,
    usd double precision NOT NULL,
    input double precision NOT NULL,
    output double precision NOT NULL,
    cache_write double precision NOT NULL,
    cache_read double precision NOT NULL,
    turns double precision NOT NULL,
    PRIMARY KEY (day, session, folder, model, person)
  );
  CREATE TABLE spend_meter (
    session text PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    meter text NOT NULL
  );
  CREATE TABLE budget (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text REFERENCES session (id) ON DELETE CASCADE,
    facts text NOT NULL
  );
  CREATE INDEX budget_session ON budget (session) WHERE session IS NOT NULL;

  CREATE TABLE notice_target (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text REFERENCES session (id) ON DELETE CASCADE,
    push text,
    facts text NOT NULL
  );
  CREATE INDEX notice_target_session ON notice_target (session) WHERE session IS NOT NULL;

  CREATE TABLE notice (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text REFERENCES session (id) ON DELETE CASCADE,
    cause text NOT NULL,
    kind text NOT NULL,
    request_id text,
    title text NOT NULL,
    body text NOT NULL,
    created_at double precision NOT NULL
  );
  CREATE UNIQUE INDEX notice_cause ON notice (session, cause);
  CREATE INDEX notice_request ON notice (session, request_id) WHERE request_id IS NOT NULL;

  CREATE TABLE notice_delivery (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    notice bigint NOT NULL REFERENCES notice (number) ON DELETE CASCADE,
    target text NOT NULL REFERENCES notice_target (id) ON DELETE CASCADE,
    state text NOT NULL,
    attempts int NOT NULL,
    since double precision NOT NULL,
    next_at double precision,
    outcome text,
    changed_at double precision NOT NULL
  );
  CREATE INDEX notice_delivery_notice ON notice_delivery (notice);
  CREATE INDEX notice_delivery_target ON notice_delivery (target, state);
  CREATE INDEX notice_delivery_due ON notice_delivery (next_at) WHERE state IN ('waiting', 'closing');
  CREATE INDEX notice_delivery_held ON notice_delivery (notice) WHERE state = 'held';

  CREATE TABLE capability (
    id text PRIMARY KEY,
    hash text NOT NULL,
    session text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    request_id text NOT NULL,
    digest text NOT NULL,
    target text NOT NULL REFERENCES notice_target (id) ON DELETE CASCADE,
    notice text NOT NULL,
    expires_at double precision NOT NULL
  );
  CREATE INDEX capability_session ON capability (session);
  CREATE INDEX capability_target ON capability (target);
  CREATE INDEX capability_age ON capability (expires_at);

  CREATE TABLE probe (body bytea);
  INSERT INTO probe VALUES (NULL);

  CREATE TABLE indexed (position bigint NOT NULL);
  INSERT INTO indexed VALUES (0);
  CREATE TABLE indexed_session (
    session bigint PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
    seq bigint NOT NULL
  );
  CREATE TABLE said (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    seq bigint NOT NULL,
    time double precision NOT NULL,
    kind text NOT NULL,
    tool text,
    tool_name text,
    call text,
    author text,
    person text,
    text text NOT NULL,
    words tsvector NOT NULL
  );
  CREATE INDEX said_words ON said USING gin (words);
  CREATE INDEX said_place ON said (session, seq);
  CREATE INDEX said_call ON said (session, call) WHERE kind = 'call';
  `,
  },
  {
    // One node leads, and only its transactions are committed. Earlier programs knew no lease: they must not write beside it.
    oldest: 2,
    sql: `
  CREATE TABLE lead (generation bigint NOT NULL, node text NOT NULL, until timestamptz NOT NULL);
  INSERT INTO lead VALUES (0, '', '-infinity');

  CREATE FUNCTION assert_leading(opening bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM lead WHERE generation = opening AND until > clock_timestamp() FOR SHARE;
      IF NOT FOUND THEN RAISE EXCEPTION 'this node does not lead' USING ERRCODE = '${NOT_LEADING}'; END IF;
    END $$;
  `,
  },
  // `copy` has a row while a copy from another database is not finished: no hub uses the database before.
  {
    oldest: 2,
    sql: `
  CREATE TABLE installation (id text NOT NULL);
  INSERT INTO installation VALUES (gen_random_uuid());
  CREATE TABLE copy (source text NOT NULL, begun_at double precision NOT NULL);
  `,
  },
  {
    oldest: 2,
    sql: `
  CREATE TABLE node (
    id text PRIMARY KEY,
    address text NOT NULL,
    certificate text,
    version text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
  );
  CREATE TABLE node_secret (value text NOT NULL);
  INSERT INTO node_secret VALUES (gen_random_uuid()::text || gen_random_uuid()::text);
  `,
  },
  // Where turns begin is in entries that are indexed already: they are indexed anew.
  {
    oldest: 2,
    sql: `
  CREATE TABLE said_prompt (
    session bigint NOT NULL REFERENCES session (number) ON DELETE CASCADE,
    seq bigint NOT NULL,
    time double precision NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (session, seq)
  );
  TRUNCATE said, indexed_session;
  UPDATE indexed SET position = 0;
  `,
  },
  // A node that is as old as its proof proves that it is itself. One of an earlier version says nothing of that when it starts.
  { oldest: 2, sql: 'ALTER TABLE node ADD COLUMN proves_since timestamptz' },
];

interface Version {
  number: number;
  oldest: number;
}

/** Bring a database to this version, all of it or nothing. Raises `STORE_FOREIGN` or `STORE_TOO_NEW` before anything is touched. */
export async function migrate(connection: PostgresConnection): Promise<void> {
  await connection.transaction(async () => {
    await connection.ask('SELECT pg_advisory_xact_lock($1, $2)', [LOCKS.of, LOCKS.migrate]);
    const version = await assertKnown(connection);
    if (version >= MIGRATIONS.length) return;
    if (version === 0) {
      await connection.ask(`CREATE SCHEMA ${SCHEMA}`);
      await connection.ask(`CREATE TABLE ${SCHEMA}.version (number int NOT NULL, oldest int NOT NULL)`);
      await connection.ask(`INSERT INTO ${SCHEMA}.version VALUES (0, 0)`);
    }
    for (const { sql } of MIGRATIONS.slice(version)) await connection.ask(sql);
    const { oldest } = MIGRATIONS.at(-1) ?? { oldest: 0 };
    await connection.ask(`UPDATE ${SCHEMA}.version SET number = $1, oldest = $2`, [
      MIGRATIONS.length,
      oldest,
    ]);
  });
}

/** Gives the version of a database. Raises `STORE_FOREIGN` or `STORE_TOO_NEW`. */
export async function assertKnown(connection: PostgresConnection): Promise<number> {
  const { number, oldest } = await versionOf(connection);
  if (oldest > MIGRATIONS.length)
    throw new StoreTooNewError(`its version is ${number}, and ${MIGRATIONS.length} is known here`);
  return number;
}

/** Raises `STORE_COPY_UNFINISHED` for a database that another one is being copied to. */
export async function assertWhole(connection: PostgresConnection): Promise<void> {
  const [known] = await connection.ask<{ name: string; is: boolean }>(
    `SELECT current_database() AS name, to_regclass('${SCHEMA}.copy') IS NOT NULL AS is`,
  );
  if (!known?.is) return;
  const [mark] = await connection.ask(`SELECT FROM ${SCHEMA}.copy`);
  if (mark) throw new StoreCopyUnfinishedError(known.name);
}

/** 0 for a database that is empty. */
async function versionOf(connection: PostgresConnection): Promise<Version> {
  const [known] = await connection.ask<{ ours: boolean; schema: boolean; tables: number; name: string }>(
    `SELECT to_regclass('${SCHEMA}.version') IS NOT NULL AS ours, to_regnamespace('${SCHEMA}') IS NOT NULL AS schema,
      current_database() AS name, (SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p', 'm', 'v') AND nspname NOT IN ('pg_catalog', 'information_schema')
          AND nspname NOT LIKE 'pg\\_%'
          AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS tables`,
  );
  if (!known?.ours) {
    if (known?.schema || (known?.tables ?? 0) > 0) throw new StoreForeignError(known?.name ?? '');
    return { number: 0, oldest: 0 };
  }
  const [version] = await connection.ask<Version>(`SELECT number, oldest FROM ${SCHEMA}.version`);
  return version ?? { number: 0, oldest: 0 };
}
