import { type JsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';

/** What can be called with a slash. */
export interface SlashCommand {
  name: string;
  /** Empty when nobody said. */
  description: string;
}

/** The commands that a message of an agent names: its answer to a greeting, its start of a turn, or a change of them. */
export function commandsIn(message: JsonObject): SlashCommand[] {
  const answer = objectAt(objectAt(message, 'response'), 'response');
  const told = [...listAt(message, 'commands'), ...listAt(answer, 'commands')].map((command) => ({
    name: textAt(command, 'name'),
    description: textAt(command, 'description'),
  }));
  const named = listAt(message, 'slash_commands').flatMap((name) =>
    typeof name === 'string' ? [{ name, description: '' }] : [],
  );
  return told.length > 0 ? told : named;
}

/** The newer list, with what is known of its commands. */
export function renewed(known: readonly SlashCommand[], named: readonly SlashCommand[]): SlashCommand[] {
  const descriptions = new Map(known.map(({ name, description }) => [name, description]));
  return named.map(({ name, description }) => ({
    name,
    description: description || (descriptions.get(name) ?? ''),
  }));
}

/** Those that somebody may mean who has written this much; none when it is no command, or the whole of one. */
export function completionsOf(text: string, commands: readonly SlashCommand[]): SlashCommand[] {
  const [, start] = /^\/(\S*)$/.exec(text) ?? [];
  if (start === undefined || commands.some(({ name }) => name === start)) return [];
  return commands.filter(({ name }) => name.toLowerCase().startsWith(start.toLowerCase()));
}
