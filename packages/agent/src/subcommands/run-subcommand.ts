import { UsageError } from '../base/agent-errors.ts';
import type { SubcommandLine } from '../command-line/subcommands.ts';
import { type StartContext, startContext } from '../start/start-context.ts';
import { authStatus, refuseSignIn } from './auth-status.ts';
import { doctor } from './doctor.ts';
import { addServer, addServerJson } from './mcp-add.ts';
import { removeServer } from './mcp-remove.ts';
import { resetChoices } from './mcp-reset.ts';
import { getServer, listServers } from './mcp-show.ts';
import { runPluginCommand } from './plugin-commands.ts';
import type { SubcommandEnd } from './subcommand-end.ts';

const MCP_COMMANDS: Readonly<
  Record<string, (argv: readonly string[], context: StartContext) => Promise<string>>
> = {
  add: addServer,
  'add-json': addServerJson,
  list: listServers,
  get: getServer,
  remove: removeServer,
  'reset-project-choices': resetChoices,
};

/** Carry out a subcommand. Throws `UsageError` for what cannot be done. */
export async function runSubcommand({ name, argv, pluginDirs }: SubcommandLine): Promise<SubcommandEnd> {
  const context = startContext('cli');
  const [command = '', ...rest] = argv;
  switch (name) {
    case 'mcp':
      return runMcpCommand(command, rest, context);
    case 'auth':
      if (command === 'status') return authStatus(rest, context);
      if (command === 'login' || command === 'logout') return refuseSignIn(command);
      throw unknown(command, 'auth', ['status']);
    case 'doctor':
      return doctor(argv, context);
    case 'plugin':
    case 'plugins':
      return runPluginCommand(command, rest, { ...context, pluginDirs });
  }
}

async function runMcpCommand(
  command: string,
  argv: readonly string[],
  context: StartContext,
): Promise<SubcommandEnd> {
  const names = [...Object.keys(MCP_COMMANDS), 'serve'];
  if (command === '--help' || command === '-h')
    return { text: `Usage: signalbox-agent mcp ${names.join('|')}\n`, code: 0 };
  const run = Object.hasOwn(MCP_COMMANDS, command) ? MCP_COMMANDS[command] : undefined;
  if (!run) throw unknown(command, 'mcp', names);
  return { text: await run(argv, context), code: 0 };
}

function unknown(command: string, group: string, known: readonly string[]): UsageError {
  const usage = `Usage: signalbox-agent ${group} ${known.join('|')}`;
  return new UsageError(command === '' ? usage : `error: unknown command '${command}'\n${usage}`);
}
