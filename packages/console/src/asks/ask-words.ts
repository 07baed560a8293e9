import { objectAt, shortInput, textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { authorName } from '../model/author-name.ts';
import { toolTitle } from '../model/tool-title.ts';

/** What an agent asks, in one sentence, for those who hear the page instead of seeing it. */
export function askWords({ request }: PermissionRequest): string {
  const name = textAt(request, 'tool_name');
  if (name === 'AskUserQuestion') return `The agent has a question: ${inputWords(request)}`;
  if (name === 'ExitPlanMode') return 'The agent has a plan and asks whether to begin';
  if (request.subtype === 'elicitation') return serverWords(request);
  if (name === '') return 'The agent asks something';
  return `The agent asks to use ${toolTitle(name)}: ${inputWords(request)}`;
}

/** What was asked, in a few words. */
export function askedWords({ request }: PermissionRequest): string {
  const name = textAt(request, 'tool_name');
  if (name === '') return textAt(request, 'message') || 'A question';
  return `${toolTitle(name)} ${inputWords(request)}`;
}

/** What became of it, and by whom. */
export function answerWords({ answer }: PermissionRequest): string {
  if (!answer) return 'not asked any more';
  const verb = answer.what.startsWith('deny')
    ? 'denied'
    : answer.what === 'dismiss'
      ? 'dismissed'
      : 'allowed';
  const device = answer.author.by === 'person' ? ` (${answer.author.device})` : '';
  return `${verb} by ${authorName(answer.author)}${device}`;
}

function serverWords(request: PermissionRequest['request']): string {
  return `The MCP server ${textAt(request, 'mcp_server_name')} asks: ${textAt(request, 'message')}`;
}

function inputWords(request: PermissionRequest['request']): string {
  return shortInput(textAt(request, 'tool_name'), objectAt(request, 'input'), null);
}
