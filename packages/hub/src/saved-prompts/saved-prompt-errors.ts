import { LIMITS, SignalboxError } from '@signalbox/protocol';

/** The hub keeps as many prompts as it may. */
export class SavedPromptLimitError extends SignalboxError {
  constructor() {
    super(
      'SAVED_PROMPT_LIMIT',
      `A hub keeps up to ${LIMITS.savedPrompts.most} prompts, of ${LIMITS.savedPromptBytes.most} bytes together. Remove one first.`,
    );
  }
}

/** The file of saved prompts is no longer what the hub wrote. */
export class SavedPromptsUnreadableError extends SignalboxError {
  constructor(file: string) {
    super(
      'SAVED_PROMPTS_UNREADABLE',
      `${file} cannot be read as saved prompts. Put it back from a copy, or move it away and save the prompts again.`,
    );
  }
}
