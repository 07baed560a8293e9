import { API_LIMITS } from './limits/api-limits.ts';
import { FOLDER_LIMITS } from './limits/folder-limits.ts';
import { PROMPT_LIMITS } from './limits/prompt-limits.ts';
import { RECORD_LIMITS } from './limits/record-limits.ts';
import { SETTINGS_LIMITS } from './limits/settings-limits.ts';
import { TERMINAL_LIMITS } from './limits/terminal-limits.ts';
import { WIRE_LIMITS } from './limits/wire-limits.ts';

export type { Limit } from './limits/limit.ts';

/**
 * Every limit of what is read from outside, by its name. Whoever reads lines, bodies or frames names one of these.
 * What merely waits (a queue that stops reading) is not here: it refuses nothing.
 */
export const LIMITS = {
  ...WIRE_LIMITS,
  ...PROMPT_LIMITS,
  ...API_LIMITS,
  ...RECORD_LIMITS,
  ...SETTINGS_LIMITS,
  ...TERMINAL_LIMITS,
  ...FOLDER_LIMITS,
};
