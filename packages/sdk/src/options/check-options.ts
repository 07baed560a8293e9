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
