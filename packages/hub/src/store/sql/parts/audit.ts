import type { Author, Page, PageRequest } from '@signalbox/protocol/hub';
import type { Audit, AuditEntry, Decision } from '../../audit.ts';
import { pageBounds, pageOf } from '../paging.ts';
import type { InSteps } from '../part.ts';
import { Statement, type Steps } from '../statement.ts';
import { storedJson } from '../stored-json.ts';

type AuditRow = Omit<AuditEntry, 'author'> & { author: string };

/** The audit log in its table. */
export class SqlAudit implements InSteps<Audit> {
  *add({ session, subject, author, what, why }: Decision): Steps<AuditEntry> {
    const time = Date.now();
    const values = [time, session, subject, JSON.stringify(author), what, why];
    const { id } = (yield* QUERIES.add.get(values)) ?? { id: 0 };
    return { id, time, session, subject, author, what, why };
  }

  *list({ session, ...request }: PageRequest & { session?: string } = {}): Steps<Page<AuditEntry>> {
    const { after = Number.MAX_SAFE_INTEGER, limit } = pageBounds(request);
    const rows =
      session === undefined
        ? yield* QUERIES.list.all([after, limit + 1])
        : yield* QUERIES.listSession.all([session, after, limit + 1]);
    return pageOf(rows, limit, ({ id }) => id, entryOf);
  }
}

function entryOf({ id, time, session, subject, author: json, what, why }: AuditRow): AuditEntry {
  const author: Author = storedJson(json, 'an entry of the audit log');
  return { id, time, session, subject, author, what, why };
}

const QUERIES = queries();

function queries() {
  const columns = 'SELECT id, time, session, subject, author, what, why FROM audit';
  return {
    add: new Statement<{ id: number }>(
      'INSERT INTO audit (time, session, subject, author, what, why) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
    ),
    list: new Statement<AuditRow>(`${columns} WHERE id < ? ORDER BY id DESC LIMIT ?`),
    listSession: new Statement<AuditRow>(`${columns} WHERE session = ? AND id < ? ORDER BY id DESC LIMIT ?`),
  };
}
