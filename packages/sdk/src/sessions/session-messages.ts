import { type ChainedEntry, followConversation, isChained, isMessage, messagesOf } from '@signalbox/protocol';
import { findSession, type SessionLocation } from './find-session.ts';
import type { SessionStoreEntry } from './session-store.ts';

/** A message of a stored conversation. */
export interface SessionMessage {
  type: 'user' | 'assistant' | 'system';
  uuid: string;
  session_id: string;
  message: unknown;
  parent_tool_use_id: string | null;
  parent_agent_id: string | null;
  timestamp?: string;
}

/** Which messages to read. */
export interface GetSessionMessagesOptions extends SessionLocation {
  limit?: number;
  offset?: number;
  /** Also what the agent noted between them, compactions for example. */
  includeSystemMessages?: boolean;
}

/** Which messages of a sub-agent to read. */
export type GetSubagentMessagesOptions = Omit<GetSessionMessagesOptions, 'includeSystemMessages'>;

/** The conversation of a session, oldest message first; branches that were left are no part of it. */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  const found = await findSession(sessionId, options);
  const entries = found && (await found.store.load(found.key));
  return page(conversationIn(entries ?? [], options.includeSystemMessages), sessionId, options);
}

/** Where to look for the session of sub-agents. */
export type ListSubagentsOptions = SessionLocation;

/** The ids of the sub-agents that worked in a session. */
export async function listSubagents(
  sessionId: string,
  options: ListSubagentsOptions = {},
): Promise<string[]> {
  const found = await findSession(sessionId, options);
  const subpaths = (found && (await found.store.listSubkeys?.(found.key))) ?? [];
  return subpaths.flatMap((path) => /^subagents\/agent-([^/]+)$/.exec(path)?.[1] ?? []);
}

/** The conversation of a sub-agent. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options: GetSubagentMessagesOptions = {},
): Promise<SessionMessage[]> {
  const found = await findSession(sessionId, options);
  const key = found && { ...found.key, subpath: `subagents/agent-${agentId}` };
  const entries = (key && (await found.store.load(key))) ?? [];
  // Seen from its own thread, a sub-agent is no side matter.
  const own = entries.map((entry) => ({ ...entry, isSidechain: false }));
  return page(conversationIn(own), sessionId, options);
}

/** The entries of the conversation that ends with the newest message. */
export function conversationIn(
  entries: readonly SessionStoreEntry[],
  includeSystemMessages = false,
): ChainedEntry[] {
  const chained = entries.filter(isChained);
  const conversation = followConversation(chained);
  const messages = messagesOf(conversation, chained).filter(({ isMeta }) => isMeta !== true);
  if (!includeSystemMessages) return messages;
  const wanted = new Set<ChainedEntry>([...messages, ...conversation.filter(isSystem)]);
  return chained.filter((entry) => wanted.has(entry));
}

function page(
  entries: readonly ChainedEntry[],
  sessionId: string,
  { offset = 0, limit = entries.length }: { offset?: number; limit?: number },
): SessionMessage[] {
  return entries.slice(offset, offset + limit).map((entry) => messageOf(entry, sessionId));
}

function messageOf(entry: ChainedEntry, sessionId: string): SessionMessage {
  const { uuid, message, timestamp } = entry;
  return {
    type: isMessage(entry) ? entry.type : 'system',
    uuid,
    session_id: sessionId,
    message,
    parent_tool_use_id: null,
    parent_agent_id: null,
    ...(typeof timestamp === 'string' ? { timestamp } : {}),
  };
}

function isSystem({ type }: ChainedEntry): boolean {
  return type === 'system';
}
