import { parseFlags } from './parse-flags.ts';

const SUBCOMMANDS = ['mcp', 'auth', 'doctor', 'plugin', 'plugins'] as const;

/** A word that is a command in the place of a prompt. */
export type Subcommand = (typeof SUBCOMMANDS)[number];

/** A subcommand with its words, and the plugins that were named before it. */
export interface SubcommandLine {
  readonly name: Subcommand;
  readonly argv: readonly string[];
  readonly pluginDirs: readonly string[];
}

/** The subcommand that a command line asks for; flags may stand before it. `mcp serve` is a session like any other. */
export function subcommandIn(argv: readonly string[]): SubcommandLine | undefined {
  const { flags, rest } = parseFlags(argv, 'up to the first word');
  const [word, ...words] = rest;
  const name = SUBCOMMANDS.find((known) => known === word);
  // After `-p` it is a prompt, as in `claude`.
  if (!name || flags.has('print') || (name === 'mcp' && words[0] === 'serve')) return undefined;
  return { name, argv: words, pluginDirs: flags.get('plugin-dir') ?? [] };
}
