import { isJsonObject } from '@signalbox/protocol';
import { OptionsError } from '../options-error.ts';
import { HOOK_EVENTS } from '../types/hook-events.ts';
import type { Options } from '../types/options.ts';

/** Refuse what would start an agent that cannot do what its caller expects. */
export function checkOptions(options: Options): void {
  if (options.canUseTool && options.permissionPromptToolName)
    throw new OptionsError('canUseTool and permissionPromptToolName exclude each other. Use one of them.');
  if (options.fallbackModel !== undefined && options.fallbackModel === options.model)
    throw new OptionsError('fallbackModel must be another model than model.');
  if (options.sessionStore && options.persistSession === false)
    throw new OptionsError(
      'sessionStore needs the transcript that persistSession: false leaves out. ' +
        'To keep no copy on this machine, set CLAUDE_CONFIG_DIR in env to a folder that you delete.',
    );
  if (options.supportedDialogKinds && !options.onUserDialog)
    throw new OptionsError('supportedDialogKinds needs onUserDialog: nobody could answer these dialogs.');
  checkHooks(options.hooks);
}

/** A hook that is registered in a wrong way would be one that nobody calls, and what it guards unguarded. */
function checkHooks(hooks: unknown = {}): void {
  if (typeof hooks !== 'object' || hooks === null)
    throw new OptionsError(
      "hooks is an object of lists: { PreToolUse: [{ matcher: 'Bash', hooks: [callback] }] }.",
    );
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!Array.isArray(matchers) || !matchers.every(hasCallbacks))
      throw new OptionsError(
        `hooks.${event} is a list of { matcher, hooks }, with the callbacks in hooks: [{ matcher: 'Bash', hooks: [callback] }].`,
      );
    if (!HOOK_EVENTS.some((known) => known === event))
      process.emitWarning(
        `hooks.${event} is no event that this package knows: unless the agent does, these hooks are never called. There are: ${HOOK_EVENTS.join(', ')}.`,
        { code: 'HOOK_EVENT_UNKNOWN' },
      );
  }
}

function hasCallbacks(matcher: unknown): boolean {
  const callbacks = isJsonObject(matcher) ? matcher.hooks : undefined;
  return Array.isArray(callbacks) && callbacks.every((callback) => typeof callback === 'function');
}

/** Refuse what is no prompt before an agent is started for it: programs without types learn it here. */
export function checkPrompt(prompt: unknown): void {
  if (typeof prompt === 'string') return;
  const isObject = typeof prompt === 'object' && prompt !== null;
  if (isObject && (Symbol.asyncIterator in prompt || Symbol.iterator in prompt)) return;
  throw new OptionsError(
    `query takes { prompt, options }, and the prompt is a text or an async iterable of user messages; it is ${typeof prompt}.`,
  );
}
