import { type Cursor, MAX_WINDOW_ENTRIES, type ResetReason } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { PackedRecord, PackedResumption, PackedWindow } from '../sql/packed-window.ts';
import { StoreArgumentError } from '../store-errors.ts';
import type { OpenSession } from './open-session.ts';
import type { RecordReader } from './record-reader.ts';
import type { RecordWriter } from './record-writer.ts';

/** The record, with its lines packed as they travel between threads. */
export class SqliteRecord implements PackedRecord {
  readonly #writer: RecordWriter;
  readonly #reader: RecordReader;

  constructor(reader: RecordReader, writer: RecordWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  tail(id: string, limit?: number): PackedWindow {
    const session = this.#writer.session(id);
    return this.#read(session, session.last, -1, limit);
  }

  window(id: string, from: number, limit?: number): PackedWindow {
    return this.#read(this.#writer.session(id), checked('A window', from), 1, limit);
  }

  windowBefore(id: string, before: number, limit?: number): PackedWindow {
    const session = this.#writer.session(id);
    return this.#read(session, Math.min(checked('A window', before) - 1, session.last), -1, limit);
  }

  resume(id: string, cursor: Cursor, limit?: number): PackedResumption {
    const session = this.#writer.session(id);
    const reason = this.#objection(session, cursor);
    if (reason) return { state: 'reset', reason, last: session.last };
    return { state: 'resumed', ...this.#read(session, cursor.seq + 1, 1, limit) };
  }

  locate(id: string, uuid: string): number | undefined {
    return this.#reader.locate(this.#writer.session(id), uuid);
  }

  position(id: string): LinkPosition | undefined {
    return this.#writer.session(id).position;
  }

  /** An entry with another check is not the one that the viewer has seen under that number. */
  #objection(session: OpenSession, { seq, check }: Cursor): ResetReason | undefined {
    if (checked('A cursor', seq + 1) - 1 > session.last) return 'ahead';
    // From the start of the record means from what is left of it.
    if (seq > 0 && seq <= session.trimmed) return 'trimmed';
    return seq === 0 || this.#reader.checkOf(session, seq) === check ? undefined : 'rewritten';
  }

  #read(session: OpenSession, start: number, step: 1 | -1, limit = MAX_WINDOW_ENTRIES): PackedWindow {
    const entries = Math.min(checked('A limit', limit), MAX_WINDOW_ENTRIES);
    const parts = this.#reader.read(session, start, step, entries);
    return { last: session.last, trimmed: session.trimmed, parts };
  }
}

function checked(what: string, number: number): number {
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new StoreArgumentError(`${what} cannot be at ${number}`);
}
