import { formatRule, type PermissionUpdate } from '@signalbox/protocol';
import { spelledOut } from '../text/clean-text.ts';

const WHERE: Record<string, string> = {
  session: 'in this session',
  localSettings: 'in this project, for you',
  projectSettings: 'in this project, for everyone',
  userSettings: 'in all of your projects',
  cliArg: 'in this session',
};

const MODES: Record<string, string> = {
  acceptEdits: 'accept all edits',
  bypassPermissions: 'ask for nothing',
  plan: 'plan only',
  default: 'ask as usual',
  dontAsk: 'deny instead of asking',
};

/** What "always allow" would change, in words. */
export function suggestionWords(updates: readonly PermissionUpdate[]): string {
  return spelledOut(updates.map(updateWords).join('; ')).replaceAll('\n', ' ');
}

function updateWords(update: PermissionUpdate): string {
  const destination = typeof update.destination === 'string' ? update.destination : 'session';
  const where = WHERE[destination] ?? `in ${destination}`;
  switch (update.type) {
    case 'addRules':
    case 'replaceRules': {
      const rules = update.rules.map(({ toolName, ruleContent }) =>
        formatRule(ruleContent ? { toolName, ruleContent } : { toolName }),
      );
      const verb = update.behavior ?? 'allow';
      return `${verb} ${rules.join(', ')} ${where}`;
    }
    case 'removeRules':
      return `forget ${update.rules.length} rules ${where}`;
    case 'setMode':
      return `${MODES[update.mode] ?? `mode ${update.mode}`} ${where}`;
    case 'addDirectories':
      return `work in ${update.directories.join(', ')} ${where}`;
    case 'removeDirectories':
      return `leave ${update.directories.join(', ')} ${where}`;
    default:
      return `${String(update.type)} ${where}`;
  }
}
