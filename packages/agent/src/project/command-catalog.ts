import type { ProjectCommand } from './project-command.ts';

/** How long the list of skills may be before descriptions are left out. */
export const MAX_LISTING_CHARS = 16_000;

/** The commands and skills of a session, by name. */
export class CommandCatalog {
  readonly #byName = new Map<string, ProjectCommand>();

  /** Skills come before commands, and what comes first keeps its name. */
  constructor(...lists: readonly (readonly ProjectCommand[])[]) {
    const all = lists.flat();
    this.add(all.filter(({ kind }) => kind === 'skill'));
    this.add(all.filter(({ kind }) => kind === 'command'));
  }

  /** Take more in. One whose name is taken is known by its other name, if that is free. */
  add(commands: readonly ProjectCommand[]): void {
    for (const command of commands) {
      const name = [command.name, command.alias].find(
        (text) => text !== undefined && !this.#byName.has(text),
      );
      if (name !== undefined) this.#byName.set(name, { ...command, name });
    }
  }

  /** What a name stands for, with or without a slash before it. */
  find(name: string): ProjectCommand | undefined {
    const bare = name.replace(/^\//, '');
    return this.#byName.get(bare) ?? this.list().find(({ alias }) => alias === bare);
  }

  list(): readonly ProjectCommand[] {
    return [...this.#byName.values()];
  }

  /** What the model may ask for, and is told about. */
  forModel(): readonly ProjectCommand[] {
    return this.list().filter(({ modelMayInvoke }) => modelMayInvoke);
  }

  /** What a person may ask for with a slash. */
  forUser(): readonly ProjectCommand[] {
    return this.list().filter(({ userMayInvoke }) => userMayInvoke);
  }
}

/** The list that the model reads to know what there is. */
export function skillListing(commands: readonly ProjectCommand[]): string {
  let left = MAX_LISTING_CHARS;
  const lines = commands.map(({ name, description, whenToUse = '' }) => {
    const line = oneLine(`- ${name}: ${description} ${whenToUse}`);
    left -= line.length;
    // A name alone is still of use where there is no room for what it means.
    return left >= 0 ? line : oneLine(`- ${name}`);
  });
  return lines.join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
