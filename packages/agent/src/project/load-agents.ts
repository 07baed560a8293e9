import { readFileSync } from 'node:fs';
import { isJsonObject, messageOf } from '@signalbox/protocol';
import { UsageError } from '../base/agent-errors.ts';
import { jsonObject } from '../command-line/read-values.ts';
import { type AgentDefinition, type AgentSource, agentOf, checkAgentName } from './agent-definition.ts';
import { Fields } from './fields.ts';
import { findMarkdown } from './find-files.ts';
import { type MarkdownFile, readMarkdown } from './front-matter.ts';
import { fillPaths } from './placeholders.ts';
import { commandName, type PluginIdentity } from './project-command.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import { type ProjectLocation, projectFolders, type SourceFolder, userFolders } from './project-location.ts';

/** The sub-agents that a project and a person keep in files. */
export async function loadAgents(location: ProjectLocation): Promise<AgentDefinition[]> {
  const folders = [...projectFolders(location, 'agents'), ...userFolders(location, 'agents')];
  const loaded = await Promise.all(folders.map((folder) => agentsIn(folder, location.onProblem)));
  return loaded.flat();
}

/** The sub-agents in a folder and below it. A file without a name is documentation that is kept beside them. */
export async function agentsIn(
  folder: SourceFolder,
  onProblem: OnProblem,
  plugin?: PluginIdentity,
): Promise<AgentDefinition[]> {
  const agents: AgentDefinition[] = [];
  for (const path of await findMarkdown(folder, onProblem)) {
    const agent = await orProblem(onProblem, async () => {
      const file = await readMarkdown(path);
      return plugin ? pluginAgent(file, folder, plugin) : fileAgent(file, folder);
    });
    if (agent) agents.push(agent);
  }
  return agents;
}

function fileAgent(
  { fields, body }: MarkdownFile,
  { source, isTrusted }: SourceFolder,
): AgentDefinition | undefined {
  const name = fields.text('name');
  if (name === undefined) return undefined;
  checkAgentName(fields, name);
  return agentOf(fields, { name, prompt: body.trim(), source, isTrusted });
}

/** In a plugin the folders are part of the name. */
function pluginAgent(
  { path, fields, body }: MarkdownFile,
  folder: SourceFolder,
  plugin: PluginIdentity,
): AgentDefinition {
  const names = commandName(folder.path, path).split(':');
  const own = fields.text('name') ?? names.at(-1) ?? '';
  checkAgentName(fields, own);
  return agentOf(fields, {
    name: [plugin.name, ...names.slice(0, -1), own].join(':'),
    prompt: fillPaths(body.trim(), { kind: 'command', path, plugin }, plugin.root),
    source: 'plugin',
    // A plugin must neither start servers nor loosen permissions by way of a sub-agent.
    isTrusted: false,
  });
}

/** The sub-agents of `--agents`: JSON, or a file that holds it. Throws `UsageError` with all that is wrong. */
export function agentsOfFlag(value: string): AgentDefinition[] {
  const problems: string[] = [];
  const json = value.trimStart().startsWith('{') ? value : fileText(value);
  const given = jsonObject('--agents', json);
  const agents = definitionsIn('--agents', given, 'flag', (problem) => problems.push(problem));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return agents;
}

/** The sub-agents that a host defines in `initialize`. */
export function agentsOfHost(
  agents: Readonly<Record<string, unknown>>,
  onProblem: OnProblem,
): AgentDefinition[] {
  return definitionsIn('initialize.agents', agents, 'host', onProblem);
}

function definitionsIn(
  where: string,
  agents: Readonly<Record<string, unknown>>,
  source: AgentSource,
  onProblem: OnProblem,
): AgentDefinition[] {
  return Object.entries(agents).flatMap(([name, value]) => {
    const place = `${where}: ${name}`;
    try {
      if (!isJsonObject(value)) throw new ProjectFileError(place, 'must be an object');
      const fields = new Fields(place, value);
      checkAgentName(fields, name);
      const prompt = fields.get('prompt');
      if (typeof prompt !== 'string') throw fields.wrong('prompt', 'a text');
      return [agentOf(fields, { name, prompt, source, isTrusted: true })];
    } catch (error) {
      if (!(error instanceof ProjectFileError)) throw error;
      onProblem(error.message);
      return [];
    }
  });
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--agents must be a JSON object, or a file that holds one: ${messageOf(error)}.`);
  }
}
