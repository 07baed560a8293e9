import { homedir } from 'node:os';
import { join } from 'node:path';
import type { MessageOnDisk, TranscriptOnDisk, TranscriptPlace } from '@signalbox/hub';
import {
  blocksOf,
  followConversation,
  isChained,
  isToolAnswer,
  LIMITS,
  type MessageEntry,
  messagesOf,
  plainProjectKey,
  projectKey,
  SignalboxError,
} from '@signalbox/protocol';
import { realPath } from '@signalbox/transport/real-path';

/** The transcript of a conversation is longer than is read. */
export class TranscriptTooLongError extends SignalboxError {
  constructor(id: string, bytes: number) {
    const most = LIMITS.storedTranscriptBytes.most / 1024 / 1024;
    super(
      'TRANSCRIPT_TOO_LONG',
      `The transcript of conversation ${id} has ${Math.round(bytes / 1024 / 1024)} MiB, and up to ${most} are read.`,
    );
  }
}

/** What agents write for a command that a person called: no turn follows it. */
const NO_PROMPT = /^(?:\[Request interrupted|<(?:local-command|command-name|bash-(?:input|stdout)))/;

/** What an agent wrote of a conversation, oldest first. Raises `TRANSCRIPT_TOO_LONG`. */
export async function storedTranscript(
  id: string,
  { folder, env }: TranscriptPlace,
): Promise<TranscriptOnDisk | undefined> {
  // Loaded when somebody looks: a hub at rest has no use for it.
  const { FileSessionStore } = await import('signalbox');
  const store = new FileSessionStore(join(configFolder({ ...process.env, ...env }), 'projects'));
  const path = realPath(folder);
  for (const key of new Set([projectKey(path), plainProjectKey(path)])) {
    const found = (await store.listSessions(key)).find(({ sessionId }) => sessionId === id);
    if (!found) continue;
    const { fileSize = 0 } = found;
    if (fileSize > LIMITS.storedTranscriptBytes.most) throw new TranscriptTooLongError(id, fileSize);
    const chained = ((await store.load({ projectKey: key, sessionId: id })) ?? []).filter(isChained);
    const said = messagesOf(followConversation(chained), chained).filter(({ isMeta }) => isMeta !== true);
    const isTurnOver = isOver(said.at(-1));
    return said.length === 0
      ? undefined
      : { messages: said.map((entry) => messageOf(entry, id)), isTurnOver };
  }
  return undefined;
}

/** Where the agents of an environment keep what they know. */
export function configFolder({ CLAUDE_CONFIG_DIR, HOME }: NodeJS.ProcessEnv): string {
  return CLAUDE_CONFIG_DIR || join(HOME || homedir(), '.claude');
}

function messageOf(entry: MessageEntry, session: string): MessageOnDisk {
  const { type, uuid, message, timestamp, toolUseResult } = entry;
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const line = JSON.stringify({
    type,
    message,
    parent_tool_use_id: null,
    session_id: session,
    uuid,
    ...(toolUseResult === undefined ? {} : { tool_use_result: toolUseResult }),
    ...(timestamp === undefined ? {} : { timestamp }),
  });
  return { uuid, line, time: Number.isNaN(time) ? null : time };
}

/** A turn has ended with words of the model, and not with a call, its answer, or a prompt. */
function isOver(last: MessageEntry | undefined): boolean {
  if (!last) return true;
  const blocks = blocksOf(last);
  const { type, text } = blocks.at(-1) ?? {};
  if (last.type === 'assistant') return type === 'text';
  return !isToolAnswer(last) && typeof text === 'string' && NO_PROMPT.test(text);
}
