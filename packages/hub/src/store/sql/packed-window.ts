import { WireLine } from '@signalbox/protocol';
import type { Author, Cursor, ResetReason } from '@signalbox/protocol/hub';
import type { LinkPosition } from '@signalbox/transport';
import type { Entry, Window } from '../record.ts';
import { Run } from './run.ts';

const AGENT: Author = { by: 'agent' };

/** Entries as they are stored: of one run those from `from` to `to`; without a body they are lost. */
export interface WindowPart {
  from: number;
  to: number;
  first: number;
  count: number;
  body: Uint8Array | null;
  damaged: readonly number[];
}

/** A window whose entries nobody has looked at yet. */
export interface PackedWindow {
  last: number;
  trimmed: number;
  parts: WindowPart[];
}

/** The rest after a cursor, packed. */
export type PackedResumption =
  | ({ state: 'resumed' } & PackedWindow)
  | { state: 'reset'; reason: ResetReason; last: number };

/** The record with its lines packed, as it is asked from another thread. */
export interface PackedRecord {
  tail(session: string, limit?: number): PackedWindow;
  window(session: string, from: number, limit?: number): PackedWindow;
  windowBefore(session: string, before: number, limit?: number): PackedWindow;
  resume(session: string, cursor: Cursor, limit?: number): PackedResumption;
  locate(session: string, uuid: string): number | undefined;
  position(session: string): LinkPosition | undefined;
}

export function encodeAuthor(author: Author): Uint8Array {
  // Nearly every line is the agent's: nothing is written for that.
  return Buffer.from(author.by === 'agent' ? '' : JSON.stringify(author));
}

export function unpackWindow({ last, trimmed, parts }: PackedWindow): Window {
  const entries: Entry[] = [];
  for (const part of parts) unpackPart(part, entries);
  return { last, trimmed, entries };
}

function unpackPart({ from, to, first, count, body, damaged }: WindowPart, entries: Entry[]): void {
  const isDamaged = new Set(damaged);
  const run = body ? new Run(first, count, body, 0) : undefined;
  for (let seq = from; seq <= to; seq += 1) {
    if (!run || isDamaged.has(seq)) {
      entries.push({ kind: 'damaged', seq });
      continue;
    }
    const { time, check, author, line, end } = run.place(seq - first);
    entries.push({
      kind: 'line',
      seq,
      check,
      time,
      author: author === line ? AGENT : decodeAuthor(run.body.subarray(author, line)),
      line: new WireLine(run.body, line, end),
    });
  }
}

function decodeAuthor(bytes: Uint8Array): Author {
  const author: Author = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  return author;
}
