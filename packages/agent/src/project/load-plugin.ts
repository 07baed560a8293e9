import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { isFolder } from '../base/is-folder.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { agentsIn } from './load-agents.ts';
import { commandsIn } from './load-commands.ts';
import { skillAt, skillsIn } from './load-skills.ts';
import { type OutputStyle, outputStylesIn } from './output-styles.ts';
import { PluginManifest } from './plugin-manifest.ts';
import type { PluginIdentity, ProjectCommand } from './project-command.ts';
import { type OnProblem, orProblem, ProjectFileError } from './project-file-error.ts';
import type { SourceFolder } from './project-location.ts';

/** What a plugin contains. Names have the plugin's name before them. */
export interface Plugin extends PluginIdentity {
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly commands: readonly ProjectCommand[];
  readonly skills: readonly ProjectCommand[];
  readonly agents: readonly AgentDefinition[];
  readonly outputStyles: readonly OutputStyle[];
  /** Lists of hooks by event, as in settings. */
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
  /** Servers by name, as in `.mcp.json`. */
  readonly mcpServers: JsonObject;
}

interface PluginOptions {
  readonly cwd: string;
  readonly onProblem: OnProblem;
}

/** Read a plugin's folder; undefined, with a problem, where there is no plugin that can be used. */
export function loadPlugin(folder: string, options: PluginOptions): Promise<Plugin | undefined> {
  return orProblem(options.onProblem, async () => {
    const path = resolve(options.cwd, folder);
    if (!(await isFolder(path))) throw new ProjectFileError(path, 'is not a folder');
    return readPlugin(await PluginManifest.read(await realpath(path)), options);
  });
}

async function readPlugin(manifest: PluginManifest, options: PluginOptions): Promise<Plugin> {
  const { name, root, version, description } = manifest;
  const plugin = { name, root };
  const { onProblem } = options;
  const usual = (folder: string): SourceFolder => manifest.folder(join(root, folder));
  const commands = manifest.folders('commands') ?? [usual('commands')];
  const agents = manifest.folders('agents') ?? [usual('agents')];
  const styles = manifest.folders('outputStyles') ?? [usual('output-styles')];
  const [hooks, servers] = await Promise.all([
    manifest.configs('hooks', 'hooks/hooks.json', onProblem),
    manifest.configs('mcpServers', '.mcp.json', onProblem),
  ]);
  return {
    ...plugin,
    version,
    description,
    commands: await fromEach(commands, (folder) => commandsIn(folder, options, plugin)),
    skills: await fromEach(skillFolders(manifest), (folder) =>
      existsSync(join(folder.path, 'SKILL.md'))
        ? skillAt(folder, options, plugin).then((skill) => (skill ? [skill] : []))
        : skillsIn(folder, options, plugin),
    ),
    agents: await fromEach(agents, (folder) => agentsIn(folder, onProblem, plugin)),
    outputStyles: (await fromEach(styles, (folder) => outputStylesIn(folder, onProblem))).map((style) => ({
      ...style,
      name: `${name}:${style.name}`,
    })),
    hooks: joinedHooks(hooks),
    mcpServers: Object.fromEntries(
      servers.flatMap(Object.entries).map(([server, config]) => [`plugin:${name}:${server}`, config]),
    ),
  };
}

/** The usual folder, those of the manifest, or the plugin itself where it is nothing but a skill. */
function skillFolders(manifest: PluginManifest): SourceFolder[] {
  const own = manifest.folder(join(manifest.root, 'skills'));
  const named = manifest.folders('skills');
  return named || existsSync(own.path) ? [own, ...(named ?? [])] : [manifest.folder(manifest.root)];
}

async function fromEach<T>(
  folders: readonly SourceFolder[],
  read: (folder: SourceFolder) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all(folders.map(read))).flat();
}

function joinedHooks(configs: readonly JsonObject[]): Record<string, unknown[]> {
  const joined: Record<string, unknown[]> = {};
  for (const [event, hooks] of configs.flatMap(Object.entries)) {
    joined[event] = [...(joined[event] ?? []), ...(Array.isArray(hooks) ? hooks : [hooks])];
  }
  return joined;
}
