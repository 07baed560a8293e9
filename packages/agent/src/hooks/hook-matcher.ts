import { messageOf } from '@signalbox/protocol';

/** Letters, digits and what separates names: a list of names, never a pattern. */
const NAMES = /^[\w\s,|-]+$/;

/** Which subjects of an event a hook is for: names of tools, sources, triggers, … */
export interface HookMatcher {
  readonly matches: (subject: string) => boolean;
  /** Why the text could not be taken as it was meant. */
  readonly problem?: string;
}

const ANYTHING: HookMatcher = { matches: () => true };

/** A matcher from its text: nothing or `*` for all, names such as `Edit|Write`, or a regular expression. */
export function hookMatcher(text: string | undefined): HookMatcher {
  if (text === undefined || text === '' || text === '*') return ANYTHING;
  if (NAMES.test(text)) {
    const names = new Set(text.split(/[|,]/).map((name) => name.trim()));
    return { matches: (subject) => names.has(subject) };
  }
  try {
    const pattern = new RegExp(text);
    return { matches: (subject) => pattern.test(subject) };
  } catch (error) {
    return {
      matches: (subject) => subject === text,
      problem: `${messageOf(error)}; it only matches exactly this text`,
    };
  }
}
