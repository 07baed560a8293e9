import { dirname } from 'node:path';
import { realPath } from '../base/real-path.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import type { SessionKit } from '../loop/session-kit.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import { readFilter } from '../permission/read-filter.ts';
import { AgentCatalog } from '../project/agent-catalog.ts';
import { DEFAULT_OUTPUT_STYLE } from '../project/built-in-output-styles.ts';
import { CommandCatalog } from '../project/command-catalog.ts';
import { FileInstructions } from '../project/file-instructions.ts';
import { agentsOfFlag, loadAgents } from '../project/load-agents.ts';
import { loadCommands } from '../project/load-commands.ts';
import { loadMemory, type MemoryPlace } from '../project/load-memory.ts';
import { loadPlugin, type Plugin } from '../project/load-plugin.ts';
import { loadSkills } from '../project/load-skills.ts';
import { memoryText } from '../project/memory-entry.ts';
import { loadOutputStyles, type OutputStyle } from '../project/output-styles.ts';
import type { ProjectPlace } from '../project/project-place.ts';
import { MANAGED_FILE } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { addPluginServers } from './gather-servers.ts';

/** What is read to make up a kit. */
export interface KitPlace {
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

/** Read all that person, project and plugins bring along. What cannot be used is told, and left out. */
export async function loadKit(place: KitPlace): Promise<SessionKit> {
  const { options, settings, mcp, hooks, onProblem } = place;
  const where = {
    ...place,
    sources: options.settingSources,
    trustsProject: settings.isProjectTrusted,
    additionalDirectories: options.additionalDirectories,
  };
  const memoryFrom = memoryPlace(where, place);
  const [plugins, commands, skills, agents, memory, styles] = await Promise.all([
    loadPlugins(options.pluginDirs, place),
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
    fileInstructions: new FileInstructions({ ...where, ...memoryFrom }, catalog, memory),
    outputStyle: styleNamed(settings.outputStyle, outputStyles, onProblem),
    outputStyles,
    plugins,
    mcp,
  };
}

/** Folders that were added bring their instructions along only where the person wants that. */
function memoryPlace(where: ProjectPlace, { env, home, cwd, settings, permissions }: KitPlace): MemoryPlace {
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

async function loadPlugins(folders: readonly string[], place: KitPlace): Promise<Plugin[]> {
  const loaded = await Promise.all(folders.map((folder) => loadPlugin(folder, place)));
  return loaded.filter((plugin) => plugin !== undefined);
}

function styleNamed(
  name: string | undefined,
  styles: readonly OutputStyle[],
  onProblem: (text: string) => void,
): OutputStyle {
  const style = styles.find((known) => known.name.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && !style) {
    const names = styles.map((known) => known.name).join(', ');
    onProblem(`There is no output style "${name}"; there are ${names}. The default is used.`);
  }
  return style ?? DEFAULT_OUTPUT_STYLE;
}
