import { formatRule, isJsonObject, type JsonObject } from '@signalbox/protocol';
import { listAt, textAt } from './json-fields.ts';

const WHERE: Record<string, string> = {
  localSettings: 'in this project, for you',
  projectSettings: 'in this project, for everyone',
  userSettings: 'in all of your projects',
};

const MODES: Record<string, string> = {
  acceptEdits: 'accept all edits',
  bypassPermissions: 'ask for nothing',
  plan: 'plan only',
  default: 'ask as usual',
  dontAsk: 'deny instead of asking',
};

/** What an agent offers to keep when a call is allowed. */
export function suggestionsIn(request: JsonObject): JsonObject[] {
  return listAt(request, 'permission_suggestions').filter(isJsonObject);
}

/** What “allow always” would change, in words. */
export function suggestionWords(updates: readonly JsonObject[]): string {
  return updates.map(updateWords).join('; ');
}

function updateWords(update: JsonObject): string {
  const where = WHERE[textAt(update, 'destination')] ?? 'in this session';
  const folders = listAt(update, 'directories').join(', ');
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
      return `${textAt(update, 'behavior') || 'allow'} ${listAt(update, 'rules').map(ruleText).join(', ')} ${where}`;
    case 'setMode':
      return `${MODES[textAt(update, 'mode')] ?? `mode ${textAt(update, 'mode')}`} ${where}`;
    case 'addDirectories':
      return `work in ${folders} ${where}`;
    default:
      return `${textAt(update, 'type')} ${where}`;
  }
}

function ruleText(rule: unknown): string {
  const toolName = textAt(rule, 'toolName');
  const ruleContent = textAt(rule, 'ruleContent');
  return formatRule(ruleContent ? { toolName, ruleContent } : { toolName });
}
