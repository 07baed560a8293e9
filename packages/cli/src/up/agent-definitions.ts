import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { LocalAgent } from '@signalbox/hub';
import { isJsonObject, LIMITS } from '@signalbox/protocol';
import { AGENT_NAME, OWN_AGENTS } from '@signalbox/protocol/hub';
import { isFile } from '@signalbox/transport/stdio';
import { type ConfigFile, readConfig, SettingError } from './up-settings.ts';

/** An agent that the person of this machine has described, by its name in `agents` of `config.json`. */
export interface AgentDefinition {
  name: string;
  /** What people read; its name unless given. */
  title: string;
  /** The program and its first words. */
  command: readonly string[];
  /** Whether it speaks the SDK's protocol, or has nothing but its own screen. */
  mode: 'sdk' | 'terminal';
  /** Secrets, often: no error and no answer repeats a value. */
  env: Readonly<Record<string, string>>;
}

const KEYS = ['title', 'command', 'mode', 'env'];
const MODES = ['sdk', 'terminal'] as const;
const MAX_TITLE = 100;

/** The agents that `config.json` of the home defines. Raises `SETTING_INVALID`. */
export function readAgentDefinitions(home: string): AgentDefinition[] {
  return definitionsIn(readConfig(home));
}

/** The same of a `config.json`. Raises `SETTING_INVALID`. */
export function definitionsIn({ file, config }: ConfigFile): AgentDefinition[] {
  const { agents = {} } = config;
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
  if (!AGENT_NAME.test(name))
    throw wrong('a name in "agents" has up to 64 letters, digits, dots, dashes and underlines.');
  if (OWN_AGENTS.some((own) => own === name.toLowerCase()))
    throw wrong(`"${name}" is an agent that Signalbox brings: give yours in "agents" another name.`);
  const where = `agent "${name}"`;
  if (!isJsonObject(value)) throw wrong(`${where} takes an object with ${KEYS.join(', ')}.`);
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    throw wrong(`${where}: "${unknown}" is no setting of it; these are: ${KEYS.join(', ')}.`);
  const { title = name, command, mode = 'sdk', env = {} } = value;
  const isTitle = typeof title === 'string' && title.trim() !== '' && title.length <= MAX_TITLE;
  if (!isTitle || /\p{Cc}/u.test(title))
    throw wrong(`${where}: "title" takes a text of up to ${MAX_TITLE} characters.`);
  const known = MODES.find((one) => one === mode);
  if (!known) throw wrong(`${where}: "mode" takes ${MODES.map((one) => `"${one}"`).join(' or ')}.`);
  return {
    name,
    title,
    command: commandIn(command, where, wrong),
    mode: known,
    env: envIn(env, where, wrong),
  };
}

function commandIn(value: unknown, where: string, wrong: (problem: string) => SettingError): string[] {
  const words = Array.isArray(value)
    ? value.filter((word) => typeof word === 'string' && !word.includes('\0'))
    : [];
  const [program = ''] = words;
  if (!Array.isArray(value) || words.length !== value.length || program === '')
    throw wrong(`${where}: "command" takes a list of words, the program first: ["claude", "--verbose"].`);
  const isName = !program.includes('/') && !program.includes('\\');
  if (!isName && !isAbsolute(fromHome(program)))
    throw wrong(`${where}: "command" begins with a name in PATH, an absolute path, or one from ~.`);
  return words;
}

function envIn(
  value: unknown,
  where: string,
  wrong: (problem: string) => SettingError,
): Record<string, string> {
  const problem = `${where}: "env" takes an object of texts, by the names of variables.`;
  if (!isJsonObject(value)) throw wrong(problem);
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (!/^[^=\0]+$/.test(name) || typeof text !== 'string' || text.includes('\0')) throw wrong(problem);
      return [name, text];
    }),
  );
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
