import { isJsonObject, type JsonObject, LIMITS } from '@signalbox/protocol';
import type { SessionRecord } from '../store/record.ts';
import { replay } from '../store/replay.ts';
import { BodyTooLongError } from './api-errors.ts';

/** What a session was about when a line was written. */
interface Setting {
  sessionId: string;
  cwd: string;
  version: string;
}

/**
 * The conversation of a session in the form that agents resume from: what was said to the agent's own thread, each line
 * after the one before it. Raises `BODY_TOO_LONG`.
 */
export async function transcriptOf(record: SessionRecord, session: string): Promise<Buffer> {
  let setting: Setting = { sessionId: '', cwd: '', version: '' };
  let entries: (JsonObject & { uuid: string })[] = [];
  let size = 0;
  for await (const window of replay(record, session)) {
    for (const entry of window.entries) {
      const message = entry.kind === 'line' ? parsed(entry.line) : undefined;
      if (!message || entry.kind !== 'line') continue;
      if (message.type === 'conversation_reset') entries = [];
      if (message.subtype === 'init') setting = settingOf(message, setting);
      const said = entryOf(message, entries.at(-1)?.uuid ?? null, entry.time);
      if (!said) continue;
      size += entry.line.byteLength;
      if (size > LIMITS.transcriptBytes.most) throw new BodyTooLongError(LIMITS.transcriptBytes);
      entries.push(said);
    }
  }
  // The first prompt comes before the agent has said who it is.
  const lines = entries.map((entry) => `${JSON.stringify({ ...setting, ...entry })}\n`);
  return Buffer.from(lines.join(''));
}

function entryOf(
  message: JsonObject,
  parentUuid: string | null,
  time: number,
): (JsonObject & { uuid: string }) | undefined {
  const { type, uuid, parent_tool_use_id: parent, isReplay } = message;
  if (typeof uuid !== 'string' || isReplay === true || typeof parent === 'string') return undefined;
  const place = {
    parentUuid,
    isSidechain: false,
    userType: 'external',
    uuid,
    timestamp: new Date(time).toISOString(),
  };
  if (message.subtype === 'compact_boundary') {
    const fields = { type, subtype: message.subtype, content: 'Conversation compacted' };
    return { ...place, ...fields, parentUuid: null, logicalParentUuid: parentUuid };
  }
  if ((type !== 'user' && type !== 'assistant') || !isJsonObject(message.message)) return undefined;
  const result = message.tool_use_result;
  return {
    ...place,
    type,
    message: message.message,
    ...(message.isSynthetic === true ? { isCompactSummary: true } : {}),
    ...(result === undefined ? {} : { toolUseResult: result }),
  };
}

function settingOf(
  { session_id: id, cwd, claude_code_version: version }: JsonObject,
  before: Setting,
): Setting {
  const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
  return {
    sessionId: text(id, before.sessionId),
    cwd: text(cwd, before.cwd),
    version: text(version, before.version),
  };
}

function parsed(line: { json(): unknown }): JsonObject | undefined {
  try {
    const value = line.json();
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Half a line, or what was never JSON: it is in the record, and in no conversation.
    return undefined;
  }
}
