import { CommandOptionsError } from '../command-options.ts';

/**
 * Lines of `NAME=value`, as in a file of the environment: `export` in front, quotes around a value, comments and empty lines are
 * taken as a shell takes them; nothing is expanded. Raises `COMMAND_OPTIONS`, which names the line and never its words.
 */
export function assignmentsIn(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined)
      throw new CommandOptionsError('profiles', `Line ${at + 1} of what is piped in is not NAME=value.`);
    const [, quoted] = /^(?:"(.*)"|'(.*)')\s*$/.exec(value)?.filter((part) => part !== undefined) ?? [];
    values[name] = quoted ?? value.trimEnd();
  }
  return values;
}
