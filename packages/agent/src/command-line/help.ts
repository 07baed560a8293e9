import { FLAG_GROUPS, type Flag, type FlagGroup } from './flags.ts';

const COLUMN = 36;

/** What `--help` prints. */
export function helpText(): string {
  const groups: readonly FlagGroup[] = FLAG_GROUPS;
  return `signalbox-agent: a coding agent that hosts drive in place of claude -p

Usage:
  signalbox-agent                              chat in this terminal
  signalbox-agent -p "prompt"                  answer once
  signalbox-agent -p --input-format stream-json --output-format stream-json --verbose
                                               let a host drive it
  signalbox-agent mcp serve                    serve the tools to an MCP client on stdio
  signalbox-agent mcp add|add-json|list|get|remove
                                               the MCP servers of you and of this project
  signalbox-agent auth status                  whether there are credentials, as JSON or --text
  signalbox-agent doctor                       whether all is well with the installation
  signalbox-agent plugin list|validate         plugins are given with --plugin-dir

It talks to any Messages API: set ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for another server
("signalbox model" starts a scripted one that needs neither key nor network).

${groups.map(({ title, flags }) => `${title}:\n${flags.map(line).join('\n')}\n`).join('\n')}`;
}

function line(flag: Flag): string {
  const short = flag.aliases?.find((alias) => !alias.startsWith('--'));
  const names = `  ${short ? `${short}, ` : '    '}--${flag.name}${flag.value ? ` <${flag.value}>` : ''}`;
  return names.length < COLUMN
    ? names.padEnd(COLUMN) + flag.help
    : `${names}\n${' '.repeat(COLUMN)}${flag.help}`;
}
