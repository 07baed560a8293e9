import { dirname } from 'node:path';
import { realPath } from '@signalbox/transport/real-path';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import type { Extensions } from '../loop/extensions.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import { readFilter } from '../permission/read-filter.ts';
import { AgentCatalog } from '../project/agent-catalog.ts';
import { CommandCatalog } from '../project/command-catalog.ts';
import { FileInstructions } from '../project/file-instructions.ts';
import { agentsOfFlag, loadAgents } from '../project/load-agents.ts';
import { loadCommands } from '../project/load-commands.ts';
import { loadMemory, type MemoryLocation } from '../project/load-memory.ts';
import { loadPlugin, type Plugin } from '../project/load-plugin.ts';
import { loadSkills } from '../project/load-skills.ts';
import { memoryText } from '../project/memory-entry.ts';
import { loadOutputStyles, styleNamed } from '../project/output-styles.ts';
import type { ProjectLocation } from '../project/project-location.ts';
import { MANAGED_FILE } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { addPluginServers } from './gather-servers.ts';

/** Where extensions are read from. */
export interface ExtensionSources {
  readonly options: AgentOptions;
  readonly settings: Settings;
  readonly cwd: string;
  readonly home: string;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly permissions: PermissionStore;
  readonly mcp: McpServers;
  readonly hooks: HookRunner;
  readonly onProblem: (text: string) => void;
}

/** Read the extensions of user, project and plugins. What cannot be used is reported and left out. */
export async function loadExtensions(sources: ExtensionSources): Promise<Extensions> {
  const { options, settings, mcp, hooks, onProblem } = sources;
  const where = {
    ...sources,
    sources: options.settingSources,
    trustsProject: settings.isProjectTrusted,
    additionalDirectories: options.additionalDirectories,
  };
  const memoryFrom = memoryLocation(where, sources);
  const [plugins, commands, skills, agents, memory, styles] = await Promise.all([
    loadPlugins(options.pluginDirs, sources),
    loadCommands(where),
    loadSkills(where),
    loadAgents(where),
    loadMemory(memoryFrom),
    loadOutputStyles(where),
  ]);
  for (const plugin of plugins) {
    hooks.addCommands(`plugin ${plugin.name}`, plugin.hooks);
    addPluginServers(mcp, plugin, onProblem);
  }
  const outputStyles = [...styles, ...plugins.flatMap((plugin) => plugin.outputStyles)];
  const catalog = new CommandCatalog(
    skills,
    commands,
    plugins.flatMap((plugin) => [...plugin.skills, ...plugin.commands]),
  );
  return {
    agents: new AgentCatalog(
      agents,
      plugins.flatMap((plugin) => plugin.agents),
      options.agents === undefined ? [] : agentsOfFlag(options.agents),
    ),
    catalog,
    memory: memoryText(memory),
    memoryFiles: memory.filter(({ paths }) => paths === undefined),
    fileInstructions: new FileInstructions({ ...where, ...memoryFrom }, catalog, memory),
    outputStyle: styleNamed(settings.outputStyle, outputStyles, onProblem),
    outputStyles,
    plugins,
    mcp,
  };
}

/** The instructions of folders of `--add-dir` are read only where the user asked for it. */
function memoryLocation(
  where: ProjectLocation,
  { env, home, cwd, settings, permissions }: ExtensionSources,
): MemoryLocation {
  const takesAll = env.CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD === '1';
  return {
    ...where,
    home,
    managedDir: dirname(MANAGED_FILE),
    mayImportOutside: settings.isProjectTrusted,
    additionalDirectories: takesAll ? (where.additionalDirectories ?? []) : [],
    mayRead: (path) => {
      const mayRead = readFilter('Read', permissions.rules, { cwd: realPath(cwd), home }) ?? (() => true);
      return mayRead(path) && mayRead(realPath(path));
    },
  };
}

async function loadPlugins(folders: readonly string[], sources: ExtensionSources): Promise<Plugin[]> {
  const loaded = await Promise.all(folders.map((folder) => loadPlugin(folder, sources)));
  return loaded.filter((plugin) => plugin !== undefined);
}
