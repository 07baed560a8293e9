import { statSync } from 'node:fs';
import type { ForgottenKind, Retention, StoreSize } from '../retention.ts';
import type { Immediate } from '../sql/part.ts';
import type { Database } from './database.ts';
import type { RecordReader } from './record-reader.ts';
import type { RecordWriter } from './record-writer.ts';

/** What is removed in one commit: others must not wait. */
const FORGOTTEN_ROWS = 1000;

/** What of each kind may go, once it is old enough; what is open may not. */
const ENDED: Record<ForgottenKind, { table: string; key: string; where: string }> = {
  prompts: { table: 'prompt', key: 'number', where: "state NOT IN ('waiting', 'taken') AND admitted_at < ?" },
  permissions: {
    table: 'permission',
    key: 'number',
    where: "state <> 'open' AND (state <> 'answered' OR is_delivered = 1) AND closed_at < ?",
  },
  audit: { table: 'audit', key: 'id', where: 'time < ?' },
  devices: { table: 'device', key: 'number', where: 'revoked_at < ?' },
};

/** Takes away what is old. */
export class SqliteRetention implements Immediate<Retention> {
  readonly #database: Database;
  readonly #reader: RecordReader;
  readonly #writer: RecordWriter;

  constructor(database: Database, reader: RecordReader, writer: RecordWriter) {
    this.#database = database;
    this.#reader = reader;
    this.#writer = writer;
  }

  olderThan(session: string, time: number): number {
    return this.#reader.olderThan(this.#writer.session(session), time);
  }

  trim(session: string, upTo: number): void {
    this.#writer.trim(session, upTo);
  }

  forget(kind: ForgottenKind, time: number): number {
    const { table, key, where } = ENDED[kind];
    const rows = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${FORGOTTEN_ROWS}`;
    return this.#database.prepare(`DELETE FROM ${table} WHERE ${key} IN (${rows})`).run([time]);
  }

  size(): StoreSize {
    const [pages, free, bytes] = (['page_count', 'freelist_count', 'page_size'] as const).map(
      (name) => this.#database.prepare<Record<string, number>>(`PRAGMA ${name}`).get()?.[name] ?? 0,
    );
    const { file } = this.#database;
    const files = ['', '-wal', '-search', '-search-wal'].map((suffix) => sizeOf(`${file}${suffix}`));
    return {
      fileBytes: files.reduce((sum, size) => sum + size, 0),
      usedBytes: ((pages ?? 0) - (free ?? 0)) * (bytes ?? 0),
    };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
