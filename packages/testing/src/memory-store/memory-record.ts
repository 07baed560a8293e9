import { crc32 } from 'node:zlib';
import {
  type Append,
  type Appended,
  cursorOn,
  MAX_WINDOW_BYTES,
  type RecordedLine,
  type Resumption,
  StoreArgumentError,
  StoreLimitError,
  type Window,
} from '@signalbox/hub/store';
import { LIMITS, WireLine } from '@signalbox/protocol';
import { type Cursor, MAX_WINDOW_ENTRIES } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Tables } from './tables.ts';

/** A line of the record, and the uuid that it is found by. */
export interface MemoryLine {
  entry: RecordedLine;
  uuid: string | undefined;
}

/** What an entry costs of a window beside its bytes. */
const ENTRY_BYTES = 32;

/** Lines in lists. */
export class MemoryRecord {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  append({ session, author, lines, position }: Append): Appended {
    const { lines: before, trimmed, position: known, updated } = this.#tables.session(session);
    const isSameEpoch = position !== undefined && position.epoch === known?.epoch;
    const received = isSameEpoch && known ? known.count : 0;
    const start = lines.findIndex(({ number = Number.NaN }) => !(number <= received));
    const news = start === -1 ? [] : lines.slice(start);
    const first = trimmed + before.length + 1;
    const added = news.map(({ bytes, time = Date.now() }, index): MemoryLine => {
      const line = new WireLine(Buffer.from(bytes), 0, bytes.length);
      const seq = first + index;
      const check = crc32(bytes, crc32(JSON.stringify({ seq, time, author })));
      return { entry: { kind: 'line', seq, check, time, author, line }, uuid: line.head().uuid };
    });
    const isNews = position !== undefined && (!isSameEpoch || position.count > received);
    this.#tables.change(session, {
      lines: added.length === 0 ? before : before.concat(added),
      position: isNews ? position : known,
      updated: added.length === 0 ? updated : this.#tables.nextPosition(),
    });
    return { first, count: added.length, checks: added.map(({ entry }) => entry.check) };
  }

  tail(session: string, limit?: number): Window {
    return this.#read(session, this.#lastOf(session), -1, limit);
  }

  window(session: string, from: number, limit?: number): Window {
    return this.#read(session, checked('A window', from), 1, limit);
  }

  windowBefore(session: string, before: number, limit?: number): Window {
    const start = Math.min(checked('A window', before) - 1, this.#lastOf(session));
    return this.#read(session, start, -1, limit);
  }

  resume(session: string, { seq, check }: Cursor, limit?: number): Resumption {
    const { lines, trimmed } = this.#tables.session(session);
    const last = this.#lastOf(session);
    if (checked('A cursor', seq + 1) - 1 > last) return { state: 'reset', reason: 'ahead', last };
    if (seq > 0 && seq <= trimmed) return { state: 'reset', reason: 'trimmed', last };
    const entry = lines[seq - 1 - trimmed]?.entry;
    if (entry && cursorOn(entry).check !== check) return { state: 'reset', reason: 'rewritten', last };
    return { state: 'resumed', ...this.#read(session, seq + 1, 1, limit) };
  }

  locate(session: string, uuid: string): number | undefined {
    return this.#tables.session(session).lines.find((line) => line.uuid === uuid)?.entry.seq;
  }

  position(session: string): LinkPosition | undefined {
    return this.#tables.session(session).position;
  }

  #read(session: string, start: number, step: 1 | -1, limit = MAX_WINDOW_ENTRIES): Window {
    const { lines, trimmed } = this.#tables.session(session);
    const most = Math.min(checked('A limit', limit), MAX_WINDOW_ENTRIES);
    const entries: RecordedLine[] = [];
    let bytes = MAX_WINDOW_BYTES;
    const from = step === 1 ? Math.max(start, trimmed + 1) : start;
    for (let seq = from; entries.length < most && bytes > 0; seq += step) {
      const entry = lines[seq - 1 - trimmed]?.entry;
      if (!entry) break;
      entries.push(entry);
      bytes -= ENTRY_BYTES + entry.line.byteLength;
    }
    const last = trimmed + lines.length;
    return { entries: step === 1 ? entries : entries.toReversed(), last, trimmed };
  }

  #lastOf(session: string): number {
    const { trimmed, lines } = this.#tables.session(session);
    return trimmed + lines.length;
  }
}

/** Lines of their own memory, as those who bring them may write over theirs. Raises `STORE_LIMIT`. */
export function copyOf(appends: readonly Append[]): Append[] {
  return appends.map((append) => ({
    ...append,
    lines: append.lines.map((line) => {
      if (line.bytes.length > LIMITS.lineBytes.most)
        throw new StoreLimitError(`A line of ${line.bytes.length} bytes is too long`);
      return { ...line, bytes: Buffer.from(line.bytes) };
    }),
  }));
}

function checked(what: string, number: number): number {
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new StoreArgumentError(`${what} cannot be at ${number}`);
}
