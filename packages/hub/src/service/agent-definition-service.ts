import type { AgentDefinition, AgentDefinitionChange } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import { AgentNotFoundError } from '../launch/launch-errors.ts';
import type { AgentDefinitions, DefinedAgent, LocalAgent } from '../launch/local-agent.ts';
import type { Device } from '../store/device.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** The agents of `config.json`: who defines one says what is run on this machine. */
export class AgentDefinitionService {
  readonly #definitions: AgentDefinitions;
  readonly #agents: () => readonly LocalAgent[];
  readonly #decisions: Decisions;

  constructor(definitions: AgentDefinitions, agents: () => readonly LocalAgent[], decisions: Decisions) {
    this.#definitions = definitions;
    this.#agents = agents;
    this.#decisions = decisions;
  }

  async list(by: Device): Promise<AgentDefinition[]> {
    permit(by, 'admin');
    return this.#definitions.list().map((agent) => this.#shown(agent));
  }

  /** The audit log has the names of the variables that were set and taken away. Raises `SETTING_INVALID` or `FILE_NOT_WRITTEN`. */
  async change(by: Device, change: AgentDefinitionChange): Promise<AgentDefinition> {
    permit(by, 'admin');
    const changed = this.#definitions.change(change);
    const names = Object.entries(change.env ?? {}).map(([name, value]) =>
      value === null ? `-${name}` : name,
    );
    // Words of a command may be secrets, too.
    const subject = [`${change.name}: ${change.command[0]}`, ...names].join(', ').slice(0, 1000);
    await this.#decisions.keep(authorOf(by), { what: 'define agent', session: null, subject });
    return this.#shown(changed);
  }

  /** Raises `AGENT_NOT_FOUND`, `SETTING_INVALID` or `FILE_NOT_WRITTEN`. */
  async remove(by: Device, name: string): Promise<AgentDefinition> {
    permit(by, 'admin');
    const removed = this.#definitions.remove(name);
    if (!removed) throw new AgentNotFoundError(name, 'config.json of the hub defines no such agent.');
    await this.#decisions.keep(authorOf(by), { what: 'remove agent', session: null, subject: name });
    return { ...removed, why: null };
  }

  #shown(agent: DefinedAgent): AgentDefinition {
    const { why = null } = this.#agents().find(({ name }) => name === agent.name) ?? {};
    return { ...agent, why };
  }
}
