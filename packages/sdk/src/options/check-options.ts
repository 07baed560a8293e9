import { OptionsError } from '../options-error.ts';
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
