import { UsageError } from '../base/agent-errors.ts';
import type { StartContext } from '../start/start-context.ts';
import { SCOPE_WORDS, SCOPES, ScopedServers, scopeNamed } from './mcp-scopes.ts';
import { configured, notFound } from './mcp-show.ts';
import { required, subArguments } from './sub-arguments.ts';

const SCOPE = { name: 'scope', takes: 'value' } as const;

/** `mcp remove <name>`. Gives what is printed. */
export async function removeServer(argv: readonly string[], context: StartContext): Promise<string> {
  const { words, options } = subArguments(argv, { '-s': SCOPE, '--scope': SCOPE });
  const [name = ''] = required(words, 'name');
  const named = options.get('scope')?.at(-1);
  if (named !== undefined) {
    const servers = new ScopedServers(scopeNamed(named), context);
    if (!servers.has(name)) throw new UsageError(`No MCP server named "${name}" in ${named} scope`);
    await remove(name, servers);
    return `Removed MCP server ${name} from ${named} config\nFile modified: ${servers.where}\n`;
  }
  const holders = SCOPES.map((scope) => new ScopedServers(scope, context))
    .filter((servers) => servers.has(name))
    .toReversed();
  const [servers, ...others] = holders;
  if (!servers) throw notFound(name, configured(context));
  if (others.length > 0) throw ambiguous(name, holders);
  await remove(name, servers);
  return `Removed MCP server "${name}" from ${servers.scope} config\nFile modified: ${servers.where}\n`;
}

async function remove(name: string, servers: ScopedServers): Promise<void> {
  const { [name]: _removed, ...others } = servers.all();
  await servers.write(others);
}

function ambiguous(name: string, holders: readonly ScopedServers[]): UsageError {
  const places = holders.map(({ scope, where }) => `  - ${SCOPE_WORDS[scope]} (${where})`);
  const commands = holders.map(({ scope }) => `  signalbox-agent mcp remove ${name} -s ${scope}`);
  const head = `MCP server "${name}" exists in multiple scopes:`;
  return new UsageError(
    [head, ...places, '', 'To remove from a specific scope, use:', ...commands].join('\n'),
  );
}
