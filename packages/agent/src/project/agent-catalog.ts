import { AGENT_SOURCES, type AgentDefinition } from './agent-definition.ts';
import { BUILT_IN_AGENTS } from './built-in-agents.ts';

/** The sub-agents of a session, by name. */
export class AgentCatalog {
  readonly #byName = new Map<string, AgentDefinition>();

  constructor(...lists: readonly (readonly AgentDefinition[])[]) {
    this.add(BUILT_IN_AGENTS);
    for (const definitions of lists) this.add(definitions);
  }

  /**
   * Take more in. Of two with the same name the one from nearer by holds: the host's before the command line's, then
   * those of project, person and plugins, then the built-in ones. Within one source it is the first.
   */
  add(definitions: readonly AgentDefinition[]): void {
    for (const definition of definitions) {
      const known = this.#byName.get(definition.name);
      if (!known || rankOf(known) < rankOf(definition)) this.#byName.set(definition.name, definition);
    }
  }

  find(name: string): AgentDefinition | undefined {
    return this.#byName.get(name);
  }

  list(): readonly AgentDefinition[] {
    return [...this.#byName.values()];
  }
}

function rankOf({ source }: AgentDefinition): number {
  return AGENT_SOURCES.indexOf(source);
}
