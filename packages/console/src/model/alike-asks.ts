import type { PermissionRequest } from '@signalbox/protocol/hub';

/** Questions of a person's own kind are answered one by one. */
const NEEDS_A_PERSON = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** The calls of the same tool that wait for a yes, this one among them: they may be answered together. */
export function alikeTo(
  { session, request }: PermissionRequest,
  asks: readonly PermissionRequest[],
): readonly PermissionRequest[] {
  const { subtype, tool_name: tool } = request;
  if (subtype !== 'can_use_tool' || typeof tool !== 'string' || NEEDS_A_PERSON.has(tool)) return [];
  return asks.filter(
    (ask) =>
      ask.session === session &&
      ask.request.subtype === subtype &&
      ask.request.tool_name === tool &&
      ask.request.requires_user_interaction !== true,
  );
}
