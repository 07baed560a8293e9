import type { ControlHandler, ControlRequestBody } from '@signalbox/protocol';
import { type AgentWords, atItsWord } from '../agent-words.ts';
import type { CanUseTool } from '../types/permissions.ts';
import { leftOpen } from './left-open.ts';
import { withoutGaps } from './without-gaps.ts';

/** Answers `can_use_tool` with the caller's decision. What it leaves unsaid is filled in from the question. */
export function answerPermission(canUseTool: CanUseTool | undefined): ControlHandler {
  return async (request, { requestId, signal }) => {
    if (!canUseTool) throw new Error('canUseTool callback is not provided.');
    const { toolName, input, ...asked } = questionOf(request);
    const { toolUseID } = asked;
    const decision = await canUseTool(toolName, input, { ...asked, requestId, signal });
    if (decision === null) return leftOpen(signal);
    switch (decision?.behavior) {
      case 'allow':
        // Older agents take an answer without input for a broken one.
        return { toolUseID, ...decision, updatedInput: decision.updatedInput ?? input };
      case 'deny':
        return { toolUseID, ...decision };
      default:
        throw new Error(
          "canUseTool must return { behavior: 'allow' }, { behavior: 'deny', message } or null.",
        );
    }
  };
}

function questionOf(request: ControlRequestBody): AgentWords['permission'] {
  const rule = request['matched_ask_rule'];
  return atItsWord(
    'permission',
    withoutGaps({
      toolName: request['tool_name'],
      input: request['input'],
      toolUseID: request['tool_use_id'],
      suggestions: request['permission_suggestions'],
      blockedPath: request['blocked_path'],
      mcpServer: request['mcp_server'],
      decisionReason: request['decision_reason'],
      title: request['title'],
      displayName: request['display_name'],
      description: request['description'],
      defaultToNo: request['default_to_no'],
      suppressAlwaysAllowRule: request['suppress_always_allow_rule'],
      agentID: request['agent_id'],
      matchedAskRule: rule && ruleOf(atItsWord('fields', rule)),
    }),
  );
}

function ruleOf(rule: AgentWords['fields']): object {
  return withoutGaps({
    source: rule['source'],
    toolName: rule['tool_name'],
    ruleContent: rule['rule_content'],
  });
}
