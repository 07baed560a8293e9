import { objectAt, shortInput, textAt } from '@signalbox/protocol';
import type { PermissionRequest } from 'signalbox/hub';
import { authorName } from '../model/author-name.ts';
import { toolTitle } from '../model/tool-title.ts';
import { t } from '../words/t.ts';

/** What an agent asks, in one sentence, for those who hear the page instead of seeing it. */
export function askWords({ request }: PermissionRequest): string {
  const name = textAt(request, 'tool_name');
  if (name === 'AskUserQuestion') return t.asks.hasQuestion(inputWords(request));
  if (name === 'ExitPlanMode') return t.asks.hasPlan;
  if (request.subtype === 'elicitation') return serverWords(request);
  if (name === '') return t.asks.asksSomething;
  return t.asks.asksToUse(toolTitle(name), inputWords(request));
}

/** What was asked, in a few words. */
export function askedWords({ request }: PermissionRequest): string {
  const name = textAt(request, 'tool_name');
  if (name === '') return textAt(request, 'message') || t.asks.question;
  return `${toolTitle(name)} ${inputWords(request)}`;
}

/** What became of it, and by whom. */
export function answerWords({ answer }: PermissionRequest): string {
  if (!answer) return t.asks.notAsked;
  const verb = answer.what.startsWith('deny')
    ? t.asks.denied
    : answer.what === 'dismiss'
      ? t.asks.dismissed
      : t.asks.allowed;
  const device = answer.author.by === 'person' ? ` (${answer.author.device})` : '';
  return t.asks.decided(verb, authorName(answer.author), device);
}

function serverWords(request: PermissionRequest['request']): string {
  return t.asks.serverAsks(textAt(request, 'mcp_server_name'), textAt(request, 'message'));
}

function inputWords(request: PermissionRequest['request']): string {
  return shortInput(textAt(request, 'tool_name'), objectAt(request, 'input'), null);
}
