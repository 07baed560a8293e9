import type { ContentBlock, OutboundAgentMessage } from '@signalbox/protocol';
import type { FileInstructions } from '../project/file-instructions.ts';
import type { SessionLog } from '../session/transcript.ts';
import type { Tool } from '../tools/tool.ts';
import type { History } from './history.ts';
import { noteMessage } from './note-message.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { SessionCore } from './session-core.ts';
import type { ThreadTools } from './thread-tools.ts';
import type { TokenCount } from './token-count.ts';
import type { Denial } from './turn-result.ts';

/** A conversation with the model inside of a session: the session's own, or a sub-agent's. */
export interface Thread {
  /** The call that a sub-agent works for. */
  readonly parentToolUseId: string | null;
  /** Who a sub-agent is. */
  readonly agent: { readonly id: string; readonly type: string } | undefined;
  /** What a sub-agent is to do, in a few words. */
  readonly task?: string;
  readonly history: History;
  readonly toolSession: ThreadTools;
  readonly fileInstructions: FileInstructions;
  readonly log: SessionLog;
  /** The host's name for the prompt that is being answered. */
  promptUuid?: string | undefined;
  /** The full name of the model in use. */
  modelName: string;
  /** How much of the model's context the conversation filled at the last reply. */
  contextTokens: number;
  /** What the API counted at the last reply. */
  lastUsage?: TokenCount;
  /** How much of the requests the API knew already; counted for the session's own conversation. */
  promptCache?: PromptCache;
  /** What the model is told before the conversation, in parts that are cached one by one. */
  systemPrompt(): readonly string[];
  tools(): readonly Tool[];
  readonly maxTurns: number;
  /** What the model is to hear as soon as it can: tasks that have ended meanwhile. */
  readonly inbox: string[];
  /** Calls that were refused in this turn; a sub-agent's count for the turn it works for. */
  readonly denials: Denial[];
  readonly onToolUse?: (name: string) => void;
  /** What the model handed over for the schema it was given; each turn starts without. */
  readonly structured: { isWanted: boolean; value: unknown };
}

/** Tell the host what belongs to a thread, and its transcript where it is part of the conversation. */
export function say(core: SessionCore, thread: Thread, message: OutboundAgentMessage): Promise<void> {
  noteMessage(thread.log, message);
  return tell(core, thread, message);
}

/** Tell the host. Of a sub-agent it hears the calls and their results; what it says and thinks only where asked for. */
export async function tell(core: SessionCore, thread: Thread, message: OutboundAgentMessage): Promise<void> {
  const isInside = thread.parentToolUseId !== null && message.type === 'assistant';
  if (isInside && !core.forwardsSubAgentText && message.message.content.every(isWords)) return;
  await core.send(message);
}

function isWords({ type }: ContentBlock): boolean {
  return type === 'text' || type === 'thinking' || type === 'redacted_thinking';
}
