import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { LocalAgent } from '@signalbox/hub';
import { isJsonObject, LIMITS } from '@signalbox/protocol';
import type { AgentInConfig } from '@signalbox/protocol/hub';
import { agentDefinitionName, agentInConfig } from '@signalbox/protocol/hub/routes';
import { isFile } from '@signalbox/transport/stdio';
import { AGENTS, type ConfigFile, readConfig, SettingError } from './up-settings.ts';

/** An agent that the person of this machine has described, by its name in `agents` of `config.json`. */
export interface AgentDefinition extends Required<AgentInConfig> {
  name: string;
}

const KEYS = Object.keys(agentInConfig.shape);

/** The agents that `config.json` of the home defines. Raises `SETTING_INVALID`. */
export function readAgentDefinitions(home: string): AgentDefinition[] {
  return definitionsIn(readConfig(home));
}

/** The same of a `config.json`. Raises `SETTING_INVALID`. */
export function definitionsIn({ file, config }: ConfigFile): AgentDefinition[] {
  const { [AGENTS]: agents = {} } = config;
  if (!isJsonObject(agents))
    throw new SettingError(file, '"agents" takes an object: each agent by its name.');
  const entries = Object.entries(agents);
  if (entries.length > LIMITS.agentDefinitions.most)
    throw new SettingError(file, `"agents" takes up to ${LIMITS.agentDefinitions.most}.`);
  return entries.map(([name, value]) =>
    definitionIn(name, value, (problem) => new SettingError(file, problem)),
  );
}

function definitionIn(
  name: string,
  value: unknown,
  wrong: (problem: string) => SettingError,
): AgentDefinition {
  const named = agentDefinitionName.safeParse(name);
  if (!named.success) throw wrong(`the name "${name}" in "agents" ${firstWords(named.error)}.`);
  const where = `agent "${name}"`;
  const result = agentInConfig.safeParse(value);
  if (result.success) {
    const { title = name, command, mode = 'sdk', env = {} } = result.data;
    return { name, title, command, mode, env };
  }
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw wrong(`${where}: "${issue.keys[0]}" is no setting of it; these are: ${KEYS.join(', ')}.`);
  const [key] = issue?.path ?? [];
  if (key === undefined) throw wrong(`${where} takes an object with ${KEYS.join(', ')}.`);
  throw wrong(`${where}: "${String(key)}" ${firstWords(result.error)}.`);
}

function firstWords({ issues }: { issues: readonly { message: string }[] }): string {
  return issues[0]?.message ?? 'cannot be read';
}

/** The agent of a definition as it is on this machine now. */
export function definedAgent(definition: AgentDefinition, env: NodeJS.ProcessEnv): LocalAgent {
  const { name, title, command, mode, env: own } = definition;
  const [program = '', ...words] = command;
  const path = placesOf(program, { ...env, ...own }).find(isFile) ?? null;
  const why = `${program} is not ${program.includes('/') ? 'there' : "in the hub's PATH"}; config.json of the hub names it.`;
  return {
    name,
    title,
    command: path === null ? null : [path, ...words],
    path,
    view: mode,
    env: own,
    why: path === null ? why : null,
    // A program that nobody knows is not run to hear what it says of itself.
    version: () => Promise.resolve(null),
  };
}

function placesOf(program: string, { PATH = '' }: NodeJS.ProcessEnv): string[] {
  if (program.includes('/')) return [fromHome(program)];
  return PATH.split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program));
}

function fromHome(program: string): string {
  return program.startsWith('~/') ? join(homedir(), program.slice(2)) : program;
}
