import { isJsonObject, type JsonObject, listAt, textAt } from '../json-fields.ts';
import { formatRule } from '../permission/rule-syntax.ts';
import { spelledOut } from './spelled-out.ts';

const WHERE: Record<string, string> = {
  session: 'for this session',
  localSettings: 'in this folder, for you',
  projectSettings: 'in this folder, for everyone',
  userSettings: 'in all folders, for you',
  cliArg: 'for this session',
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

/** What one suggestion would change, taken apart; its rules and folders as people read them. */
export interface SuggestionParts {
  type: string;
  behavior: string;
  mode: string;
  /** Where it would be kept. */
  destination: string;
  rules: string;
  folders: string;
}

export function suggestionParts(update: JsonObject): SuggestionParts {
  return {
    type: textAt(update, 'type'),
    behavior: textAt(update, 'behavior') || 'allow',
    mode: textAt(update, 'mode'),
    destination: textAt(update, 'destination') || 'session',
    rules: listAt(update, 'rules').map(ruleText).join(', '),
    folders: listAt(update, 'directories').map(String).map(spelledOut).join(', '),
  };
}

/** What “always allow” would change, in words. */
export function suggestionWords(updates: readonly JsonObject[]): string {
  return updates.map((update) => partsWords(suggestionParts(update))).join('; ');
}

/** The same of one suggestion that was taken apart. */
export function partsWords({ type, behavior, mode, destination, rules, folders }: SuggestionParts): string {
  const where = WHERE[destination] ?? `in ${destination}`;
  switch (type) {
    case 'addRules':
      return `${behavior} ${rules} ${where}`;
    case 'replaceRules':
      return `${behavior} ${rules} and forget every other rule to ${behavior}, ${where}`;
    case 'removeRules':
      return `forget ${rules} ${where}`;
    case 'setMode':
      return `${MODES[mode] ?? `mode ${mode}`} ${where}`;
    case 'addDirectories':
      return `work in ${folders} ${where}`;
    case 'removeDirectories':
      return `leave ${folders} ${where}`;
    default:
      return `${type} ${where}`;
  }
}

function ruleText(rule: unknown): string {
  const toolName = textAt(rule, 'toolName');
  const ruleContent = textAt(rule, 'ruleContent');
  return spelledOut(formatRule(ruleContent ? { toolName, ruleContent } : { toolName }));
}
