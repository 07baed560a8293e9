import type { Author, Page, PageRequest } from '@signalbox/protocol/hub';
import type { Audit, AuditEntry, Decision } from '../audit.ts';
import type { Database } from './database.ts';
import { pageBounds, pageOf } from './paging.ts';
import type { Immediate } from './part.ts';
import { storedJson } from './stored-json.ts';

type AuditRow = Omit<AuditEntry, 'author'> & { author: string };

/** The audit log in its table. */
export class SqliteAudit implements Immediate<Audit> {
  readonly #queries: ReturnType<typeof prepareQueries>;

  constructor(database: Database) {
    this.#queries = prepareQueries(database);
  }

  add({ session, subject, author, what, why }: Decision): AuditEntry {
    const time = Date.now();
    const values = [time, session, subject, JSON.stringify(author), what, why];
    const { id } = this.#queries.add.get(values) ?? { id: 0 };
    return { id, time, session, subject, author, what, why };
  }

  list({ session, ...request }: PageRequest & { session?: string } = {}): Page<AuditEntry> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const rows =
      session === undefined
        ? this.#queries.list.all([after, limit + 1])
        : this.#queries.listSession.all([session, after, limit + 1]);
    return pageOf(rows, limit, ({ id }) => id, entryOf);
  }
}

function entryOf({ id, time, session, subject, author: json, what, why }: AuditRow): AuditEntry {
  const author: Author = storedJson(json, 'an entry of the audit log');
  return { id, time, session, subject, author, what, why };
}

function prepareQueries(database: Database) {
  const columns = 'SELECT id, time, session, subject, author, what, why FROM audit';
  return {
    add: database.prepare<{ id: number }>(
      'INSERT INTO audit (time, session, subject, author, what, why) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
    ),
    list: database.prepare<AuditRow>(`${columns} WHERE id < ? ORDER BY id DESC LIMIT ?`),
    listSession: database.prepare<AuditRow>(
      `${columns} WHERE session = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    ),
  };
}
