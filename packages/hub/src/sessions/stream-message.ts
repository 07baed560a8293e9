import { isUtf8 } from 'node:buffer';
import type { WireLine } from '@signalbox/protocol';
import type { HubNote } from '@signalbox/protocol/hub';
import { cursorOn, type Entry, type RecordedLine } from '../store/record.ts';
import { promptJson, promptListJson } from '../store/written-prompt.ts';
import { Frame } from './frame.ts';

/** Text is ASCII; whatever may be more is bytes. */
type Piece = string | Uint8Array;

/** The frame in which viewers get `message`. */
export function noteFrame(message: HubNote): Frame {
  return new Frame([...notePieces(message), '\n']);
}

/** Prompts may be long: they are in it as they were written. */
function notePieces(message: HubNote): Piece[] {
  if (message.type === 'prompt') {
    const { prompt, ...rest } = message;
    return [...opened(rest, 'prompt'), ...promptJson(prompt), '}'];
  }
  if (message.type === 'snapshot') {
    const { prompts, ...rest } = message;
    return [...opened(rest, 'prompts'), ...promptListJson(prompts), '}'];
  }
  return [Buffer.from(JSON.stringify(message))];
}

/** An object that is not closed, for one more value. */
function opened(fields: object, name: string): Piece[] {
  return [Buffer.from(JSON.stringify(fields).slice(0, -1)), `,"${name}":`];
}

/** The frame in which viewers get entries of the record, a line each; what the agent wrote is in them as it was written. */
export function entriesFrame(session: string, entries: readonly Entry[]): Frame {
  return new Frame(entryPieces(session, entries, { start: '', between: '}\n', end: '}\n' }));
}

/** The same as one JSON list. */
export function encodeEntryList(session: string, entries: readonly Entry[]): Buffer {
  if (entries.length === 0) return Buffer.from('[]');
  const pieces = entryPieces(session, entries, { start: '[', between: '},', end: '}]' });
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** The frame in which viewers get parts of replies that are being written. */
export function previewsFrame(session: string, lines: readonly WireLine[]): Frame {
  const start = `{"type":"preview","session":${JSON.stringify(session)}`;
  const pieces: Piece[] = [];
  for (const [index, line] of lines.entries()) addLine(pieces, `${index === 0 ? '' : '}\n'}${start}`, line);
  pieces.push('}\n');
  return new Frame(pieces);
}

/** The last brace of an entry is part of `between` and `end`. */
function entryPieces(
  session: string,
  entries: readonly Entry[],
  { start, between, end }: { start: string; between: string; end: string },
): Piece[] {
  const place = `{"type":"sdk-message","session":${JSON.stringify(session)},"seq":`;
  const pieces: Piece[] = [];
  let before = start;
  for (const entry of entries) {
    const { seq, check } = cursorOn(entry);
    const head = `${before}${place}${seq},"check":${check}`;
    if (entry.kind === 'damaged') pieces.push(`${head},"damaged":true`);
    else addEntry(pieces, head, entry);
    before = between;
  }
  pieces.push(end);
  return pieces;
}

function addEntry(pieces: Piece[], head: string, { author, time, line }: RecordedLine): void {
  // Nearly every line is the agent's: that is not said with each.
  if (author.by === 'agent') return addLine(pieces, `${head},"time":${time}`, line);
  pieces.push(head, `,"time":${time},"author":`, Buffer.from(JSON.stringify(author)));
  addLine(pieces, '', line);
}

/** A line that is no JSON value would break out of the message around it: it travels as text. */
function addLine(pieces: Piece[], head: string, line: WireLine): void {
  const bytes = line.bytes();
  if (isUtf8(bytes) && line.head().isJson) pieces.push(`${head},"message":`, bytes);
  else pieces.push(`${head},"raw":`, Buffer.from(JSON.stringify(line.text())));
}
