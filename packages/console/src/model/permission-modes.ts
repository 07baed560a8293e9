import { t } from '../words/t.ts';

/** The modes that are worth switching to while an agent works, with what each means. */
export const MODES: readonly (readonly [mode: string, words: string])[] = Object.entries(t.model.modes);
