import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import {
  blocksOf,
  type ChainedEntry,
  followConversation,
  hasMoreValues,
  isChained,
  isJsonObject,
  isMessage,
  isToolAnswer,
  LIMITS,
  type MessageEntry,
  messagesOf,
  parseEntry,
} from '@signalbox/protocol';

/** What is read of a file at a time, unless a line is longer. */
const CHUNK_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

/** What agents write for a command that a person called: no turn follows it. */
const NO_PROMPT = /^(?:\[Request interrupted|<(?:local-command|command-name|bash-(?:input|stdout)))/;

/** A message of a transcript without what it says, and where that is in the file. */
export interface OutlinedMessage {
  uuid: string;
  /** When it was said; null where that is not known. */
  time: number | null;
  start: number;
  length: number;
}

/** A transcript without what was said in it. */
export interface TranscriptOutline {
  /** The oldest first; what was left when somebody went back is no part of it. */
  messages: OutlinedMessage[];
  isTurnOver: boolean;
}

/** An entry without its content: a transcript as a whole would take many times the memory of its file. */
type Outline = ChainedEntry & { at: Omit<OutlinedMessage, 'uuid'>; endsTurn: boolean };

/** What an entry takes beside its texts, and one call or answer in it. */
const ENTRY_BYTES = 400;
const LINK_BYTES = 100;

/** Read a transcript up to the size that it has now; undefined when it has too many entries. What is torn, damaged or too long is left out. */
export function outlineTranscript(file: string): TranscriptOutline | undefined {
  const outlines: Outline[] = [];
  let bytes = 0;
  const descriptor = openTranscript(file);
  try {
    for (const { text, start, length } of linesIn(descriptor)) {
      const entry = hasMoreValues(text, LIMITS.transcriptLineValues.most) ? undefined : parseEntry(text);
      if (!entry || !isChained(entry)) continue;
      const outline = outlineOf(entry, { start, length });
      outlines.push(outline);
      bytes += sizeOf(outline, length);
      if (bytes > LIMITS.transcriptOutlineBytes.most) return undefined;
    }
  } finally {
    closeSync(descriptor);
  }
  const ends = new Map(outlines.map((outline) => [outline.uuid, outline]));
  const said = messagesOf(followConversation(outlines), outlines).filter(({ isMeta }) => isMeta !== true);
  const last = said.at(-1);
  return {
    messages: said.flatMap(({ uuid }) => {
      const at = ends.get(uuid)?.at;
      return at ? { uuid, ...at } : [];
    }),
    isTurnOver: last === undefined || ends.get(last.uuid)?.endsTurn === true,
  };
}

/** A named pipe that took the file's place is not waited for; it has nothing to read. */
export function openTranscript(file: string): number {
  return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** What a place in a transcript has. */
export function lineAt(descriptor: number, { start, length }: { start: number; length: number }): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, length, start));
}

function* linesIn(descriptor: number): Generator<{ text: string; start: number; length: number }> {
  const { size } = fstatSync(descriptor);
  let buffer = Buffer.alloc(CHUNK_BYTES);
  for (let start = 0; start < size; ) {
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - start), start);
    if (read === 0) return;
    const chunk = buffer.subarray(0, read);
    const isLast = start + read >= size;
    if (!isLast && !chunk.includes(NEWLINE) && buffer.length < LIMITS.lineBytes.most) {
      buffer = Buffer.alloc(buffer.length * 2);
      continue;
    }
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      yield { text: chunk.toString('utf8', from, to), start: start + from, length: to - from };
      from = to + 1;
    }
    if (isLast && from < read)
      yield { text: chunk.toString('utf8', from), start: start + from, length: read - from };
    // A line that is longer than the limit is passed over in pieces, none of which is an entry.
    start += isLast || from === 0 ? read : from;
  }
}

function outlineOf(entry: ChainedEntry, place: { start: number; length: number }): Outline {
  const { type, uuid, parentUuid, subtype, isMeta, timestamp } = entry;
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const at = { ...place, time: Number.isNaN(time) ? null : time };
  if (isMessage(entry)) {
    const { role, id } = entry.message;
    const content = blocksOf(entry).flatMap(linkOf);
    return { type, uuid, parentUuid, isMeta, message: { role, id, content }, at, endsTurn: isOver(entry) };
  }
  const kept = isJsonObject(entry.compactMetadata) ? entry.compactMetadata.preservedMessages : undefined;
  return {
    type,
    uuid,
    parentUuid,
    subtype,
    compactMetadata: { preservedMessages: kept },
    at,
    endsTurn: true,
  };
}

/** About how much memory is kept of a line. */
function sizeOf(outline: Outline, length: number): number {
  // Of these names are kept, however long.
  if (!isMessage(outline)) return ENTRY_BYTES + length;
  const { uuid, parentUuid, message } = outline;
  const names = [
    uuid,
    parentUuid,
    message.id,
    ...blocksOf(outline).flatMap(({ id, tool_use_id }) => [id, tool_use_id]),
  ];
  const texts = names.reduce((sum: number, name) => sum + (typeof name === 'string' ? name.length : 0), 0);
  return ENTRY_BYTES + texts + blocksOf(outline).length * LINK_BYTES;
}

/** What a block says of calls and their answers. */
function linkOf({
  type,
  id,
  tool_use_id,
}: {
  type?: unknown;
  id?: unknown;
  tool_use_id?: unknown;
}): object[] {
  if (type === 'tool_use') return [{ type, id }];
  return type === 'tool_result' ? [{ type, tool_use_id }] : [];
}

/** A turn has ended with words of the model, and not with a call, its answer, or a prompt. */
function isOver(last: MessageEntry): boolean {
  const { type, text } = blocksOf(last).at(-1) ?? {};
  if (last.type === 'assistant') return type === 'text';
  return !isToolAnswer(last) && typeof text === 'string' && NO_PROMPT.test(text);
}
