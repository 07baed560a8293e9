import type { JsonObject } from '@signalbox/protocol';
import type { Conversation } from './conversation.ts';
import { fieldsOf } from './messages.ts';

/** What a host answers when a hook of its own is called. */
export type HookAnswer = JsonObject | ((input: JsonObject) => JsonObject | Promise<JsonObject>);

/** The hooks of a host, by event. */
export type HostHooks = Readonly<Record<string, HookAnswer>>;

/** Initialize an agent with a callback for each event, as SDKs do. Returns what the callbacks are told, as they are. */
export async function initializeWithHooks(
  agent: Conversation,
  hooks: HostHooks,
  rule: JsonObject = {},
): Promise<JsonObject[]> {
  const told: JsonObject[] = [];
  agent.handle('hook_callback', ({ callback_id, input }) => {
    const details = fieldsOf(input);
    told.push(details);
    const answer = hooks[String(callback_id)] ?? {};
    return typeof answer === 'function' ? answer(details) : answer;
  });
  const rules = Object.keys(hooks).map((event) => [event, [{ ...rule, hookCallbackIds: [event] }]]);
  await agent.control('initialize', { hooks: Object.fromEntries(rules) });
  return told;
}

/** What a hook says about a tool call before it is made. */
export function verdict(permissionDecision: string, more: JsonObject = {}): JsonObject {
  return specific('PreToolUse', {
    permissionDecision,
    permissionDecisionReason: 'the hook says so',
    ...more,
  });
}

/** What only hooks of this event can say. */
export function specific(hookEventName: string, more: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName, ...more } };
}
