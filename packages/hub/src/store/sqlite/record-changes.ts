import type { Appended } from '../record.ts';
import type { PackedAppend } from '../sql/packed-lines.ts';
import type { OwnedSession, RecordChanges } from '../sql/record-changes.ts';
import { atOnce, type Steps } from '../sql/statement.ts';
import type { Database } from './database.ts';
import type { RecordWriter } from './record-writer.ts';

/** The record as commits change it: the writer has in memory what it takes, and no step is needed. */
export class SqliteRecordChanges implements RecordChanges {
  readonly #writer: RecordWriter;
  readonly #database: Database;

  constructor(writer: RecordWriter, database: Database) {
    this.#writer = writer;
    this.#database = database;
  }

  session(id: string): Steps<OwnedSession> {
    return atOnce(() => this.#writer.session(id));
  }

  append(append: PackedAppend): Steps<Appended> {
    return atOnce(() => this.#writer.append(append));
  }

  own({ id }: OwnedSession, generation: number): Steps<void> {
    return atOnce(() => this.#writer.own(this.#writer.session(id), generation));
  }

  noteUpdate(id: string): number {
    return this.#writer.noteUpdate(id);
  }

  remove(id: string): Steps<void> {
    return atOnce(() => this.#writer.remove(id));
  }

  noteRemoved(id: string): Steps<void> {
    return atOnce(() => {
      this.#database
        .prepare('INSERT INTO removed_session VALUES (?, ?)')
        .run([this.#writer.noteUpdate(id), id]);
    });
  }
}
