import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, LIMITS, parseJson, SignalboxError } from '@signalbox/protocol';
import type { Session, SessionFacts } from '@signalbox/protocol/hub';
import * as z from 'zod/mini';
import { clipFacts } from './clip-facts.ts';
import type { Effect } from './commit.ts';
import type { Append, Entry, NewLine } from './record.ts';
import { replay } from './replay.ts';
import { isSessionId } from './session.ts';
import type { Store } from './store.ts';
import { SessionNotFoundError } from './store-errors.ts';

/** The version of the form that is written here. */
const FORMAT = 1;

/** Lines of one author. */
type Said = Append & { lines: NewLine[] };

/** What is taken into the store at a time. */
const IMPORT_BYTES = 1024 * 1024;

/** What a line costs beside its bytes: a megabyte of short ones would keep the store for seconds. */
const LINE_COST_BYTES = 500;

/** The last moment that a date can name. */
const MAX_TIME = 8.64e15;

/** No record has come so far: numbers after it stay whole. */
const MAX_TRIMMED = 1e12;

const LINE_END = 0x0a;

const words = z.nullable(z.string());
const moment = z.number().check(z.minimum(0), z.maximum(MAX_TIME));

const HEADER = z.object({
  signalbox: z.literal(FORMAT),
  /** Entries up to this one were trimmed before, or are in another file. */
  trimmed: z.exactOptional(z.int().check(z.minimum(0), z.maximum(MAX_TRIMMED))),
  session: z.object({
    id: z.string(),
    title: words,
    folder: words,
    agent: words,
    model: words,
    mode: words,
    exit: z.nullable(z.object({ code: z.nullable(z.number()), signal: words, stderr: z.string() })),
  }),
});

const personName = z.string().check(z.maxLength(LIMITS.factLength.most));

const AUTHOR = z.discriminatedUnion('by', [
  z.object({ by: z.literal('agent') }),
  z.object({ by: z.literal('hub') }),
  z.object({
    by: z.literal('person'),
    name: personName,
    device: personName,
    deviceId: z.exactOptional(personName),
  }),
]);

const ENTRY = z.union([
  z.object({ seq: z.number(), damaged: z.literal(true) }),
  z.object({ seq: z.number(), time: moment, author: AUTHOR, line: z.string() }),
  z.object({ seq: z.number(), time: moment, author: AUTHOR, base64: z.string() }),
]);

/** A file is not what {@link exportSession} writes. */
export class SessionFileError extends SignalboxError {
  constructor(line: number, problem: string) {
    super('SESSION_FILE_INVALID', `Line ${line} of the session file ${problem}. Nothing was imported.`);
  }
}

/** A session as JSONL, line by line with the line end: first what is known of it, then its record, or that up to an entry. */
export async function* exportSession(
  store: Store,
  id: string,
  upTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const session = await store.sessions.get(id);
  if (!session) throw new SessionNotFoundError(id);
  const { trimmed } = await store.record.tail(id, 1);
  yield `${JSON.stringify({ signalbox: FORMAT, ...(trimmed > 0 ? { trimmed } : {}), session })}\n`;
  for await (const { entries } of replay(store.record, id, trimmed + 1)) {
    for (const entry of entries) {
      if (entry.seq > upTo) return;
      yield `${JSON.stringify(exportedEntry(entry))}\n`;
    }
  }
}

/** How a session is imported. */
export interface ImportOptions {
  /** The id that it gets in place of its old one. */
  as?: string | undefined;
  /** What is stored in the commit that makes it visible. */
  effects?: (id: string) => readonly Effect[];
}

/**
 * What {@link exportSession} wrote, as a new session under its old id or another one: all of it, or nothing. An
 * entry that was damaged becomes a line of the hub that says so, and every other keeps its number.
 */
export async function importSession(
  store: Store,
  lines: AsyncIterable<string> | Iterable<string>,
  { as, effects = () => [] }: ImportOptions = {},
): Promise<Session> {
  let header: { id: string; facts: Partial<SessionFacts>; trimmed: number } | undefined;
  let number = 0;
  let batch: Said[] = [];
  let bytes = 0;
  try {
    for await (const text of lines) {
      number += 1;
      if (!header) {
        const { session, trimmed = 0 } = parsed(HEADER, text, number);
        const { id: old, ...facts } = session;
        const id = as ?? old;
        if (!isSessionId(id))
          throw new SessionFileError(number, 'names its session in a way that no path can');
        await store.sessions.beginImport(id, trimmed);
        // Whatever it was doing, no agent does it here.
        header = { id, facts: { ...clipFacts(facts), state: 'exited' }, trimmed };
        continue;
      }
      addTo(batch, appendOf(header, parsed(ENTRY, text, number), number));
      bytes += text.length + LINE_COST_BYTES;
      if (bytes < IMPORT_BYTES) continue;
      await store.commit({ appends: batch });
      batch = [];
      bytes = 0;
    }
    if (!header) throw new SessionFileError(1, 'is missing');
    const { id, facts } = header;
    const end = { kind: 'end-import', session: id, facts } as const;
    const { results } = await store.commit({ appends: batch, effects: [end, ...effects(id)] });
    return results[0];
  } catch (error) {
    if (header) await store.sessions.remove(header.id);
    throw error;
  }
}

/** What one author has said in a row is stored as one. */
function addTo(batch: Said[], append: Said): void {
  const last = batch.at(-1);
  if (last && isDeepStrictEqual(last.author, append.author)) last.lines.push(...append.lines);
  else batch.push(append);
}

function exportedEntry(entry: Entry): JsonObject {
  const { seq } = entry;
  if (entry.kind === 'damaged') return { seq, damaged: true };
  const { time, author, line } = entry;
  const bytes = line.bytes();
  // A line that is not UTF-8 would come back as another one.
  const content = isUtf8(bytes) ? { line: line.text() } : { base64: Buffer.from(bytes).toString('base64') };
  return { seq, time, author, ...content };
}

function parsed<Schema extends z.ZodMiniType>(schema: Schema, text: string, number: number): z.infer<Schema> {
  const result = schema.safeParse(jsonOf(text));
  if (!result.success) throw new SessionFileError(number, 'is not what an export has there');
  return result.data;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function appendOf(
  { id: session, trimmed }: { id: string; trimmed: number },
  entry: z.infer<typeof ENTRY>,
  number: number,
): Said {
  // The header is the first line, so that the first entry is line 2.
  const seq = trimmed + number - 1;
  if (entry.seq !== seq) throw new SessionFileError(number, `is not entry ${seq}`);
  if ('damaged' in entry) {
    const note = { type: 'system', subtype: 'record_damaged', seq: entry.seq };
    return { session, author: { by: 'hub' }, lines: [{ bytes: Buffer.from(JSON.stringify(note)) }] };
  }
  const { time, author } = entry;
  const bytes = 'line' in entry ? Buffer.from(entry.line) : Buffer.from(entry.base64, 'base64');
  // Between the tokens of a message it would be mere white space, and what follows it a message of the hub to all who watch.
  if (bytes.includes(LINE_END)) throw new SessionFileError(number, 'holds more than one line');
  return { session, author, lines: [{ bytes, time }] };
}
