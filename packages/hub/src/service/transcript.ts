import { isUtf8 } from 'node:buffer';
import { isJsonValue, LIMITS, type LineHead, type WireLine } from '@signalbox/protocol';
import { membersOf } from '@signalbox/transport';
import { BodyTooLongError } from '../base/request-errors.ts';
import { turns } from '../base/turns.ts';
import type { RecordedLine, SessionRecord } from '../store/record.ts';
import { replay } from '../store/replay.ts';

/** What of a transcript is sent at a time, unless a line is longer. */
const CHUNK_BYTES = 64 * 1024;

/** No path, id or version is longer; each line repeats them. */
const MAX_SETTING_LENGTH = 4096;

/** What a line has beside what was said and the setting, at most. */
const PLACE_BYTES = 512;

/** The last moment that a date can name. */
const MAX_TIME = 8.64e15;

const OPEN_BRACE = 0x7b;
const LINE_END = Buffer.from('}\n');

/** What a session was about. */
interface Setting {
  sessionId: string;
  cwd: string;
  version: string;
}

/** What has to be known before the first line is written: the first prompt comes before the agent says who it is. */
interface Outline {
  setting: Setting;
  /** The conversation is among the entries from here to there. */
  from: number;
  to: number;
}

/**
 * The conversation of a session in the form that agents resume from: what was said to the agent's own thread, each line
 * after the one before it. It is read twice, and never as a whole. Raises `BODY_TOO_LONG`.
 */
export async function transcriptOf(
  record: SessionRecord,
  session: string,
): Promise<AsyncIterable<Uint8Array>> {
  return inChunks(linesOf(record, session, await outlineOf(record, session)));
}

async function outlineOf(record: SessionRecord, session: string): Promise<Outline> {
  const outline: Outline = { setting: { sessionId: '', cwd: '', version: '' }, from: 1, to: 0 };
  let [bytes, count] = [0, 0];
  for await (const entry of recordedLines(record, session, 1)) {
    const head = entry.line.head();
    outline.to = entry.seq;
    if (head.type === 'conversation_reset') {
      outline.from = entry.seq;
      [bytes, count] = [0, 0];
    }
    if (head.type === 'system' && head.subtype === 'init') outline.setting = settingOf(entry.line, outline);
    if (!isSaid(head)) continue;
    bytes += entry.line.byteLength;
    count += 1;
  }
  const setting = Buffer.byteLength(JSON.stringify(outline.setting));
  if (bytes + count * (setting + PLACE_BYTES) > LIMITS.transcriptBytes.most)
    throw new BodyTooLongError(LIMITS.transcriptBytes);
  return outline;
}

async function* linesOf(
  record: SessionRecord,
  session: string,
  { setting, from, to }: Outline,
): AsyncGenerator<Uint8Array> {
  let parent: string | null = null;
  for await (const entry of recordedLines(record, session, from)) {
    if (entry.seq > to) return;
    const { uuid } = entry.line.head();
    const line = uuid === undefined ? undefined : lineOf(entry, uuid, parent, setting);
    if (!line) continue;
    parent = uuid ?? null;
    yield line;
  }
}

async function* recordedLines(
  record: SessionRecord,
  session: string,
  from: number,
): AsyncGenerator<RecordedLine> {
  for await (const { entries } of replay(record, session, from)) {
    for (const entry of entries) {
      if (entry.kind === 'line') yield entry;
      if (turns.isOver) await turns.rest();
    }
  }
}

function isSaid({ type, subtype, uuid, parentToolUseId }: LineHead): boolean {
  if (uuid === undefined || parentToolUseId !== undefined) return false;
  return type === 'user' || type === 'assistant' || subtype === 'compact_boundary';
}

/** What was said is copied as it was written: to take it apart would cost more than to send it. */
function lineOf(
  { line, time }: RecordedLine,
  uuid: string,
  parentUuid: string | null,
  setting: Setting,
): Uint8Array | undefined {
  const head = line.head();
  const members = isSaid(head) ? membersIn(line) : undefined;
  if (!members || isTrue(members.get('isReplay'))) return undefined;
  const { type, subtype } = head;
  const timestamp = new Date(Math.abs(time) > MAX_TIME ? 0 : time).toISOString();
  const place = { ...setting, parentUuid, isSidechain: false, userType: 'external', uuid, timestamp };
  if (subtype === 'compact_boundary') {
    const fields = { type, subtype, content: 'Conversation compacted' };
    const boundary = { ...place, ...fields, parentUuid: null, logicalParentUuid: parentUuid };
    return Buffer.from(`${JSON.stringify(boundary)}\n`);
  }
  const message = members.get('message');
  const result = members.get('tool_use_result');
  if (message?.find((byte) => byte > 0x20) !== OPEN_BRACE) return undefined;
  const summary = isTrue(members.get('isSynthetic')) ? { isCompactSummary: true } : {};
  const start = JSON.stringify({ ...place, type, ...summary }).slice(0, -1);
  return Buffer.concat([
    Buffer.from(`${start},"message":`),
    message,
    ...(result ? [Buffer.from(',"toolUseResult":'), result] : []),
    LINE_END,
  ]);
}

function settingOf(line: WireLine, { setting }: Outline): Setting {
  const members = membersIn(line);
  const text = (name: string, otherwise: string): string => {
    const bytes = members?.get(name);
    if (!bytes || bytes.length > MAX_SETTING_LENGTH) return otherwise;
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    sessionId: text('session_id', setting.sessionId),
    cwd: text('cwd', setting.cwd),
    version: text('claude_code_version', setting.version),
  };
}

/** Undefined for half a line, or what was never JSON: it is in the record, and in no conversation. */
function membersIn(line: WireLine): Map<string, Uint8Array> | undefined {
  const bytes = isUtf8(line.bytes()) ? line.bytes() : Buffer.from(line.text());
  return isJsonValue(bytes) ? membersOf(bytes) : undefined;
}

function isTrue(value: Uint8Array | undefined): boolean {
  return value !== undefined && value.length < CHUNK_BYTES && Buffer.from(value).toString().trim() === 'true';
}

async function* inChunks(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const line of lines) {
    pieces.push(line);
    bytes += line.byteLength;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(pieces);
    [pieces, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}
