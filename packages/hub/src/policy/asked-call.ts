import { isJsonObject, type JsonObject, type ToolCall } from '@signalbox/protocol';

/** Tools by which an agent asks a person something: no rule knows the answer. */
const FOR_PEOPLE = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** The tool call that a request is about; undefined for a question, a plan, a form or a dialog, which only a person can answer. */
export function callIn(request: JsonObject): ToolCall | undefined {
  const { subtype, tool_name: toolName, input, requires_user_interaction: isForPerson } = request;
  if (subtype !== 'can_use_tool' || isForPerson === true || typeof toolName !== 'string') return undefined;
  return FOR_PEOPLE.has(toolName) || !isJsonObject(input) ? undefined : { toolName, input };
}
