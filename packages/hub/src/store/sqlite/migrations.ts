import { StoreCorruptError, StoreTooNewError } from '../store-errors.ts';
import type { Database } from './database.ts';

/** Marks a database file as ours: "SgBx". */
const APPLICATION_ID = 0x53674278;

/**
 * Each step brings a database from the version before to its own, which is its place in the list; never change one
 * that was released.
 *
 * Lines are stored twice, for two purposes. `recent` takes them as they come, one row for each session in a commit,
 * at the end of the table: no index, and so no pages all over the file to be synced. Once a session has enough of
 * them they become a `block`, which is what a long record is read from. What a block has beyond its first `PART_BYTES`
 * follows in `block_part`: the driver copies what it is given several times.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE epoch (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, opened_at REAL NOT NULL);

  CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    link_epoch TEXT,
    link_count INTEGER,
    settled_id INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE recent (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    link_epoch TEXT,
    link_count INTEGER,
    body BLOB NOT NULL
  );
  CREATE TABLE recent_floor (id INTEGER NOT NULL);
  INSERT INTO recent_floor VALUES (0);

  CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    uuids BLOB NOT NULL,
    body BLOB NOT NULL
  );
  CREATE UNIQUE INDEX block_place ON block (session, first, count, checksum);

  CREATE TABLE prompt (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    author TEXT NOT NULL,
    content TEXT NOT NULL,
    delivery TEXT NOT NULL,
    state TEXT NOT NULL,
    admitted_at REAL NOT NULL,
    UNIQUE (session, client_id)
  );
  CREATE INDEX prompt_pending ON prompt (session, number) WHERE state IN ('waiting', 'taken');

  CREATE TABLE permission (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    opened_at REAL NOT NULL,
    closed_at REAL,
    answer TEXT,
    is_delivered INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session, request_id)
  );
  CREATE INDEX permission_open ON permission (number) WHERE state = 'open';
  CREATE INDEX permission_undelivered ON permission (session, number) WHERE state = 'answered' AND is_delivered = 0;

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    session TEXT,
    subject TEXT,
    author TEXT NOT NULL,
    what TEXT NOT NULL,
    why TEXT
  );
  CREATE INDEX audit_session ON audit (session, id);

  CREATE TABLE device (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    grants TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    created_at REAL NOT NULL,
    last_seen_at REAL,
    revoked_at REAL
  );
  CREATE TABLE sign_in_link (id TEXT PRIMARY KEY, grants TEXT NOT NULL, hash BLOB NOT NULL, expires_at REAL NOT NULL);
  CREATE INDEX sign_in_link_age ON sign_in_link (expires_at);

  CREATE TABLE kept_answer (
    principal TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    expires_at REAL NOT NULL,
    PRIMARY KEY (principal, key)
  );
  CREATE INDEX kept_answer_age ON kept_answer (expires_at);
  `,
  `
  CREATE TABLE launch (
    session TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    spec TEXT NOT NULL,
    device TEXT NOT NULL
  );
  `,
  `
  ALTER TABLE permission ADD COLUMN parent TEXT;

  UPDATE device SET grants = json_set(grants, '$.kind', 'agent') WHERE json_extract(grants, '$.person') = 'agent';
  `,
  `
  ALTER TABLE prompt ADD COLUMN sent TEXT;

  ALTER TABLE kept_answer ADD COLUMN made TEXT NOT NULL DEFAULT '';
  ALTER TABLE kept_answer ADD COLUMN begun_at REAL NOT NULL DEFAULT 0;

  CREATE TABLE probe (body BLOB);
  INSERT INTO probe VALUES (NULL);
  `,
  `
  CREATE TABLE block_part (
    block INTEGER NOT NULL REFERENCES block (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (block, part)
  );
  `,
  'ALTER TABLE session ADD COLUMN generation INTEGER NOT NULL DEFAULT 0',
  `
  CREATE TABLE generation (number INTEGER NOT NULL);
  INSERT INTO generation SELECT coalesce(max(number), 0) FROM epoch;
  DROP TABLE epoch;
  `,
  `
  CREATE TABLE loop (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    facts TEXT NOT NULL
  );
  CREATE INDEX loop_alive ON loop (number) WHERE state <> 'ended';

  CREATE TABLE loop_iteration (
    loop TEXT NOT NULL REFERENCES loop (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (loop, number)
  );
  `,
  // Positions are numbers of `recent`, which are used once: each session gets one that is later than all of them.
  `
  ALTER TABLE session ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  UPDATE session SET position = number + max(
    (SELECT id FROM recent_floor), coalesce((SELECT max(id) FROM recent), 0)
  );
  CREATE INDEX session_position ON session (position);
  CREATE INDEX session_imported ON session (id) WHERE state = 'importing';

  CREATE TABLE removed_session (position INTEGER PRIMARY KEY, session TEXT NOT NULL);
  `,
  `
  CREATE TABLE comment (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    facts TEXT NOT NULL
  );
  CREATE INDEX comment_session ON comment (session, number);
  `,
  `
  CREATE TABLE rule (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT REFERENCES session (id) ON DELETE CASCADE,
    facts TEXT NOT NULL
  );
  CREATE INDEX rule_session ON rule (session) WHERE session IS NOT NULL;
  `,
  // No reference to sessions: what was spent is known after they are gone.
  `
  CREATE TABLE spend (
    day TEXT NOT NULL,
    session TEXT NOT NULL,
    folder TEXT NOT NULL,
    model TEXT NOT NULL,
    person TEXT NOT NULL,
    usd REAL NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    PRIMARY KEY (day, session, folder, model, person)
  ) WITHOUT ROWID;

  CREATE TABLE spend_meter (
    session TEXT PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    meter TEXT NOT NULL
  );

  CREATE TABLE budget (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT REFERENCES session (id) ON DELETE CASCADE,
    facts TEXT NOT NULL
  );
  CREATE INDEX budget_session ON budget (session) WHERE session IS NOT NULL;
  `,
  `
  CREATE TABLE notice_target (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT REFERENCES session (id) ON DELETE CASCADE,
    push TEXT,
    facts TEXT NOT NULL
  );
  CREATE INDEX notice_target_session ON notice_target (session) WHERE session IS NOT NULL;

  CREATE TABLE notice (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT REFERENCES session (id) ON DELETE CASCADE,
    cause TEXT NOT NULL,
    kind TEXT NOT NULL,
    request_id TEXT,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at REAL NOT NULL
  );
  CREATE UNIQUE INDEX notice_cause ON notice (session, cause);
  CREATE INDEX notice_request ON notice (session, request_id) WHERE request_id IS NOT NULL;

  CREATE TABLE notice_delivery (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    notice INTEGER NOT NULL REFERENCES notice (number) ON DELETE CASCADE,
    target TEXT NOT NULL REFERENCES notice_target (id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    since REAL NOT NULL,
    next_at REAL,
    outcome TEXT,
    changed_at REAL NOT NULL
  );
  CREATE INDEX notice_delivery_notice ON notice_delivery (notice);
  CREATE INDEX notice_delivery_target ON notice_delivery (target, state);
  CREATE INDEX notice_delivery_due ON notice_delivery (next_at) WHERE state IN ('waiting', 'closing');
  CREATE INDEX notice_delivery_held ON notice_delivery (notice) WHERE state = 'held';

  CREATE TABLE capability (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    target TEXT NOT NULL REFERENCES notice_target (id) ON DELETE CASCADE,
    notice TEXT NOT NULL,
    expires_at REAL NOT NULL
  );
  CREATE INDEX capability_session ON capability (session);
  CREATE INDEX capability_target ON capability (target);
  CREATE INDEX capability_age ON capability (expires_at);
  `,
  // The number of the last entry that was taken away.
  'ALTER TABLE session ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0',
  // Where a prompt was moved to; without it, a prompt stands where its number says.
  'ALTER TABLE prompt ADD COLUMN place REAL',
  // Stays with the data wherever it is copied to.
  `
  CREATE TABLE installation (id TEXT NOT NULL);
  INSERT INTO installation VALUES (lower(hex(randomblob(16))));
  `,
];

/** Raises an error for a database that is not ours, or of a newer version, before anything of it is touched. */
export function checkVersion(database: Database): void {
  const isNew = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!isNew && pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StoreCorruptError(`${database.file} is a database of another program`);
  }
  assertKnown(pragma(database, 'user_version'));
}

/** Raises `STORE_TOO_NEW`. */
export function assertKnown(version: number): void {
  if (version > MIGRATIONS.length)
    throw new StoreTooNewError(`its version is ${version}, and ${MIGRATIONS.length} is known here`);
}

/** Bring a database to this version, in one commit: each of its own would wait for the disk. */
export function migrate(database: Database): void {
  const missing = MIGRATIONS.slice(pragma(database, 'user_version'));
  if (missing.length === 0) return;
  database.transaction(() => {
    for (const migration of missing) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function pragma(database: Database, name: 'user_version' | 'application_id'): number {
  return database.prepare<Record<string, number>>(`PRAGMA ${name}`).get()?.[name] ?? 0;
}
