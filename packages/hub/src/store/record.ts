import { type WireLine } from '@signalbox/protocol';
import type { Author, Cursor, ResetReason } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { LineSpend } from './spend.ts';

/** The most that one window holds beside `MAX_WINDOW_ENTRIES`; a longer line comes alone. */
export const MAX_WINDOW_BYTES = 4 * 1024 * 1024;

/** A line on its way into the record. */
export interface NewLine {
  /** Kept as they are, without a line end. */
  bytes: Uint8Array;
  /** Milliseconds since 1970; now, unless told otherwise. */
  time?: number;
  /** Its number on the lossless link that it came over. */
  number?: number | undefined;
  /** What it has cost: counted when the line is new to the record. */
  spend?: LineSpend | undefined;
}

/** Lines of one author for one session. */
export interface Append {
  session: string;
  author: Author;
  lines: readonly NewLine[];
  /**
   * How far the link has got with these lines and with those that are not recorded. It becomes durable together
   * with the lines; leading lines that an earlier position covers are dropped, because they came twice.
   */
  position?: LinkPosition;
  /**
   * The permission request that the lines are the answer to: they are stored only when an effect of the same commit is the
   * first answer to it. A request that comes again after a kill must not have its answer in the record twice.
   */
  answers?: string | undefined;
}

/** What became of an {@link Append}: its last `count` lines are in the record, the first of them as `first`. */
export interface Appended {
  first: number;
  count: number;
  /** The checks of these lines, for cursors on them. */
  checks: readonly number[];
}

/** A line of the record, as it was written. */
export interface RecordedLine {
  kind: 'line';
  seq: number;
  /** Comes from its checksum: another line under the same number has another one. */
  check: number;
  time: number;
  author: Author;
  line: WireLine;
}

/** What a cursor on a damaged entry carries. */
export const DAMAGED_CHECK = 0;

/** A line that is not what was written any more. */
export interface DamagedLine {
  kind: 'damaged';
  seq: number;
}

/** One place of the record. */
export type Entry = RecordedLine | DamagedLine;

/** The cursor on an entry. */
export function cursorOn(entry: Entry): Cursor {
  return { seq: entry.seq, check: entry.kind === 'line' ? entry.check : DAMAGED_CHECK };
}

/** Consecutive entries of a session. */
export interface Window {
  entries: Entry[];
  /** The number of the session's newest entry. */
  last: number;
  /** The number of the last entry that was taken away, with all before it; 0 when none was. */
  trimmed: number;
}

/** The rest after a cursor, or word that there is none and the viewer must start over. */
export type Resumption =
  | ({ state: 'resumed' } & Window)
  | { state: 'reset'; reason: ResetReason; last: number };

/** The append-only record of every session, which commits add to. What a method gives back is durable. */
export interface SessionRecord {
  /** The newest entries. */
  tail(session: string, limit?: number): Promise<Window>;
  /** Entries from number `from` on. */
  window(session: string, from: number, limit?: number): Promise<Window>;
  /** Entries before number `before`: the newest of them. */
  windowBefore(session: string, before: number, limit?: number): Promise<Window>;
  /** Entries after a cursor. */
  resume(session: string, cursor: Cursor, limit?: number): Promise<Resumption>;
  /** The number of the first line with this uuid. */
  locate(session: string, uuid: string): Promise<number | undefined>;
  /** How many damaged entries were come upon since the store was opened; each is told once to those who listen. */
  readonly damaged: number;
  /** Returns the way to stop it. */
  onDamaged(listener: (session: string, seq: number) => void): () => void;
  /** How far the session's link has got: what may be acknowledged, and what need not be sent again. */
  position(session: string): Promise<LinkPosition | undefined>;
}
