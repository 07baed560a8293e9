import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/agent-errors.ts';
import { loadPlugin } from '../project/load-plugin.ts';
import type { StartContext } from '../start/start-context.ts';
import { required, subArguments } from './sub-arguments.ts';
import type { SubcommandEnd } from './subcommand-end.ts';

const MANIFEST = join('.claude-plugin', 'plugin.json');
const JSON_OPTION = { '--json': { name: 'json', takes: 'nothing' } } as const;

/** Plugins are folders that whoever starts the agent names: nothing is installed, and there are no marketplaces. */
const NOT_HERE = new Set(
  'install i uninstall remove enable disable update marketplace prune autoremove details init new tag'.split(
    ' ',
  ),
);

/** `plugin list`, `plugin validate <path>` and `plugin marketplace list`; what installs is refused with what to do. */
export async function runPluginCommand(
  command: string,
  argv: readonly string[],
  context: PluginContext,
): Promise<SubcommandEnd> {
  if (command === 'list') return list(subArguments(argv, JSON_OPTION).options.has('json'), context);
  if (command === 'marketplace' && argv[0] === 'list') {
    const isJson = subArguments(argv.slice(1), JSON_OPTION).options.has('json');
    return { text: isJson ? '[]\n' : 'No marketplaces configured\n', code: 0 };
  }
  if (command === 'validate')
    return validate(required(subArguments(argv, {}).words, 'path')[0] ?? '', context);
  if (NOT_HERE.has(command))
    throw new UsageError(
      `plugin ${command}: this agent installs no plugins. Start it with --plugin-dir <folder>, where the folder is the plugin.`,
    );
  const usage = 'Usage: signalbox-agent plugin list|validate|marketplace list';
  throw new UsageError(command === '' ? usage : `error: unknown command '${command}'\n${usage}`);
}

interface PluginContext extends StartContext {
  /** The plugins of `--plugin-dir`. */
  readonly pluginDirs: readonly string[];
}

async function list(isJson: boolean, { cwd, pluginDirs }: PluginContext): Promise<SubcommandEnd> {
  const plugins = await Promise.all(pluginDirs.map((folder, at) => sessionPlugin(folder, at, cwd)));
  if (isJson) return { text: `${JSON.stringify(plugins, null, 2)}\n`, code: 0 };
  const none = 'No plugins installed. Start the agent with --plugin-dir <folder> to use one.\n';
  if (plugins.length === 0) return { text: none, code: 0 };
  const entries = plugins.map(({ id, version, installPath, errors }) =>
    errors
      ? `  ❯ ${id}: ✘ ${errors.join('; ')}\n\n`
      : `  ❯ ${id}\n    Version: ${version}\n    Path: ${installPath}\n    Status: ✔ loaded\n\n`,
  );
  return { text: `Session-only plugins (--plugin-dir):\n\n${entries.join('')}`, code: 0 };
}

/** A plugin that holds for one run, in the fields of `claude`. */
async function sessionPlugin(folder: string, at: number, cwd: string) {
  const errors: string[] = [];
  const plugin = await loadPlugin(folder, { cwd, onProblem: (text) => errors.push(text) });
  return {
    id: plugin ? `${plugin.name}@inline` : `inline[${at}]`,
    version: plugin?.version ?? 'unknown',
    scope: 'session',
    enabled: plugin !== undefined,
    installPath: resolve(cwd, folder),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

async function validate(path: string, context: StartContext): Promise<SubcommandEnd> {
  const given = resolve(context.cwd, path);
  const folder = given.endsWith(MANIFEST) ? dirname(dirname(given)) : given;
  const manifest = join(folder, MANIFEST);
  const problems: string[] = [];
  if (existsSync(manifest))
    await loadPlugin(folder, { cwd: context.cwd, onProblem: (text) => problems.push(text) });
  else problems.push(`directory: No manifest found in directory. Expected ${MANIFEST}`);
  const head = `Validating plugin manifest: ${existsSync(manifest) ? manifest : given}\n\n`;
  if (problems.length === 0) return { text: `${head}✔ Validation passed\n`, code: 0 };
  const count = `✘ Found ${problems.length} ${problems.length === 1 ? 'error' : 'errors'}:`;
  const lines = problems.map((text) => `  ❯ ${text}\n`).join('');
  return { text: `${head}${count}\n\n${lines}\n✘ Validation failed\n`, code: 1 };
}
