import type { AgentDefinitions, DefinedAgent } from '@signalbox/hub';
import { LIMITS, objectAt } from '@signalbox/protocol';
import type { AgentDefinitionChange } from '@signalbox/protocol/hub';
import { type AgentDefinition, definitionsIn, readAgentDefinitions } from './agent-definitions.ts';
import { AGENTS, type ConfigFile, readConfig, SettingError } from './up-settings.ts';
import { writeConfig } from './write-config.ts';

/**
 * The agents of `config.json` while a hub runs. A change is made to the file as it is at that moment: whatever else is in it stays,
 * and so does what a person has written there since the hub began.
 */
export class ConfigAgents implements AgentDefinitions {
  readonly #home: string;
  #current: readonly AgentDefinition[];

  /** Raises `SETTING_INVALID`. */
  constructor(home: string) {
    this.#home = home;
    this.#current = readAgentDefinitions(home);
  }

  /** With their variables: for those who run them. */
  get current(): readonly AgentDefinition[] {
    return this.#current;
  }

  list(): DefinedAgent[] {
    return this.#current.map(shown);
  }

  change({ name, env = {}, ...rest }: AgentDefinitionChange): DefinedAgent {
    const { file, config, agents } = this.#read();
    const variables: Record<string, string> = { ...agents.get(name)?.env };
    for (const [variable, value] of Object.entries(env))
      if (value === null) delete variables[variable];
      else variables[variable] = value;
    const agent = { ...rest, ...(Object.keys(variables).length > 0 ? { env: variables } : {}) };
    const { most } = LIMITS.agentDefinitionBytes;
    if (Buffer.byteLength(JSON.stringify(agent)) > most)
      throw new SettingError(file, `agent "${name}" would have more than ${most} bytes.`);
    this.#write({ file, config: { ...config, [AGENTS]: { ...objectAt(config, AGENTS), [name]: agent } } });
    return shown({ title: name, mode: 'sdk', ...rest, name, env: variables });
  }

  remove(name: string): DefinedAgent | undefined {
    const { file, config, agents } = this.#read();
    const removed = agents.get(name);
    if (!removed) return undefined;
    const { [name]: _, ...others } = objectAt(config, AGENTS);
    this.#write({ file, config: { ...config, [AGENTS]: others } });
    return shown(removed);
  }

  #read(): ConfigFile & { agents: Map<string, AgentDefinition> } {
    const config = readConfig(this.#home);
    return { ...config, agents: new Map(definitionsIn(config).map((agent) => [agent.name, agent])) };
  }

  #write(config: ConfigFile): void {
    const current = definitionsIn(config);
    writeConfig(config);
    this.#current = current;
  }
}

function shown({ name, title, command, mode, env }: AgentDefinition): DefinedAgent {
  return { name, title, command: [...command], mode, variables: Object.keys(env).toSorted() };
}
