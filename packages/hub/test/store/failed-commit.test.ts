import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packAppend } from '../../src/store/sql/packed-lines.ts';
import { SqlSessions } from '../../src/store/sql/parts/sessions.ts';
import { Database, type Query } from '../../src/store/sqlite/database.ts';
import { migrate } from '../../src/store/sqlite/migrations.ts';
import { SqliteRecordChanges } from '../../src/store/sqlite/record-changes.ts';
import { RecordWriter } from '../../src/store/sqlite/record-writer.ts';
import { sampleAppend } from './sample-record.ts';

/** A database that counts the bytes of lines that are read from it. */
class CountingDatabase extends Database {
  read = 0;

  override prepare<Row = unknown>(sql: string): Query<Row> {
    const query = super.prepare<Row>(sql);
    const get = query.get.bind(query);
    query.get = (values) => {
      const row = get(values);
      if (typeof row === 'object' && row !== null && 'body' in row && row.body instanceof Uint8Array)
        this.read += row.body.length;
      return row;
    };
    return query;
  }
}

function openDatabase(): CountingDatabase {
  const database = new CountingDatabase(':memory:');
  onTestFinished(() => database.close());
  migrate(database);
  return database;
}

class Stage {
  readonly database = openDatabase();
  readonly writer = new RecordWriter(this.database, 1);
  readonly sessions = new SqlSessions(new SqliteRecordChanges(this.writer, this.database));

  commit(work: () => void): void {
    this.writer.begin();
    this.database.transaction(() => {
      work();
      this.writer.write();
    });
  }

  /** A commit that is whole, but for its last moment. */
  fail(work: () => void): void {
    const failing = () =>
      this.commit(() => {
        work();
        this.writer.write();
        throw new Error('the disk is full');
      });
    expect(failing).toThrow('the disk is full');
    this.writer.undo();
  }

  append(session: string, lines: number, padding: number): void {
    const first = this.writer.session(session).last + 1;
    const append = sampleAppend(session, first, first + lines - 1, padding);
    const position = { epoch: 'e', count: first + lines - 1 };
    this.writer.append(packAppend({ ...append, position }));
  }

  /** What the writer knows of all sessions, in its own order. */
  known(writer: RecordWriter, ids: readonly string[]): unknown {
    const sessions = ids.map((id) => {
      const { last, settled, bytes, oldestRow, generation, position, updated, runs } = writer.session(id);
      const lines = runs.flatMap((run) => run.checks());
      return { id, last, settled, bytes, oldestRow, generation, position, updated, lines };
    });
    return { sessions, order: writer.updatedAfter(0), position: writer.position };
  }
}

describe('a commit that fails', () => {
  it('[LOG1870] reads nothing of the recent lines again, however many there are', () => {
    const stage = new Stage();
    const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
    stage.commit(() => {
      for (const id of ids) {
        stage.database.work(stage.sessions.create(id));
        stage.append(id, 10, 10_000);
      }
    });
    stage.database.read = 0;
    for (let round = 0; round < 10; round += 1) stage.fail(() => stage.append('s7', 1, 100));
    expect(stage.database.read).toBe(0);
    expect(stage.writer.session('s7').last).toBe(10);
  });

  it.each([1, 2, 3, 4])('[LOG1870] leaves nothing behind, whatever it did (seed %i)', (seed) => {
    const random = new SeededRandom(seed);
    const stage = new Stage();
    const ids: string[] = [];
    const act = (present: string[]): void => {
      const id = present.length > 0 ? random.pick(present) : '';
      const chosen = random.below(12);
      if (present.length < 3 || chosen === 0) {
        const added = `s${random.below(1_000_000)}`;
        stage.database.work(stage.sessions.create(added));
        present.push(added);
      } else if (chosen === 1) {
        stage.database.work(stage.sessions.remove(id));
        present.splice(present.indexOf(id), 1);
        // Under the same name again, with other lines.
        if (random.oneIn(2)) {
          stage.database.work(stage.sessions.create(id));
          stage.append(id, 1, 10);
          present.push(id);
        }
      } else if (chosen === 2) stage.database.work(stage.sessions.update(id, { title: 'another' }));
      else if (chosen === 3) stage.writer.own(stage.writer.session(id), 1 + random.below(5));
      else stage.append(id, 1 + random.below(3), random.oneIn(6) ? 60_000 : 100);
    };
    const several = (present: string[]): void => {
      for (let left = 1 + random.below(4); left > 0; left -= 1) act(present);
    };
    for (let round = 0; round < 300; round += 1) {
      if (random.oneIn(2)) stage.fail(() => several([...ids]));
      else stage.commit(() => several(ids));
      if (random.oneIn(10))
        expect(stage.known(stage.writer, ids)).toEqual(stage.known(new RecordWriter(stage.database, 1), ids));
    }
  });

  it('[LOG1870] keeps the oldest first where it had put the oldest into blocks', () => {
    const stage = new Stage();
    // 341 such rows are just below the 32 MiB that all recent lines together may take.
    const ids = Array.from({ length: 342 }, (_, index) => `s${index}`);
    for (const id of ids)
      stage.commit(() => {
        stage.database.work(stage.sessions.create(id));
        if (id !== 's341') stage.append(id, 1, 98_000);
      });
    const before = stage.known(stage.writer, ids);
    for (let round = 0; round < 2; round += 1) stage.fail(() => stage.append('s341', 1, 98_000));
    expect(stage.writer.session('s0').settled).toBe(0);
    expect(stage.known(stage.writer, ids)).toEqual(before);
    expect(stage.known(new RecordWriter(stage.database, 1), ids)).toEqual(before);
    stage.commit(() => stage.append('s341', 1, 98_000));
    expect(stage.writer.session('s0').settled).toBe(1);
    expect(stage.known(new RecordWriter(stage.database, 1), ids)).toEqual(stage.known(stage.writer, ids));
  });
});
