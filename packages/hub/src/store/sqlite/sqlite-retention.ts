import { statSync } from 'node:fs';
import type { ForgottenKind, Retention, StoreSize } from '../retention.ts';
import type { Immediate } from '../sql/part.ts';
import { forget } from '../sql/parts/forgotten.ts';
import type { Database } from './database.ts';
import type { RecordReader } from './record-reader.ts';
import type { RecordWriter } from './record-writer.ts';

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
    return this.#database.work(forget(kind, time));
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
