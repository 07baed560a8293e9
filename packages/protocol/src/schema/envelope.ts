import { expected, list, nullable, optional, text } from './wire.ts';

/** What every message of an agent carries. */
export const envelope = { uuid: expected(text), session_id: expected(text) };

/** Names the tool call of the parent when a sub-agent speaks; null when the main agent does. */
export const parentToolUse = { parent_tool_use_id: expected(nullable(text)) };

/** Who speaks, where it is a sub-agent, and what it was told to do. */
export const speaker = {
  agent_id: optional(text),
  subagent_type: optional(text),
  task_description: optional(text),
};

/** Which prompt a message belongs to. */
export const promptOrigin = {
  user_message_uuid: optional(text),
  user_message_uuids: optional(list(text)),
};
