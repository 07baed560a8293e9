import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { distrustFolder, folderTrust, trustedFolders, trustFolder } from '@signalbox/agent/folder-trust';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { harmless } from './harmless-text.ts';
import { printHelp } from './print-help.ts';
import { fitted } from './wrap-words.ts';

const HELP = `Usage: signalbox trust [options] [folder]

Trusts a folder, or the repository it is in: agents that you start there from now on use what its
.claude/settings.json, .claude/settings.local.json and .mcp.json switch on, including hooks and
servers. Without a folder, the current one.

  --look             only show whether it is trusted, and what is left out; exits with 1 if it is not
  --remove           stop trusting it
  --list             list the folders that you trust
  --json             the answer as JSON
  -h, --help         this text
`;

const OPTIONS = {
  look: { type: 'boolean' },
  remove: { type: 'boolean' },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Run `signalbox trust …`. */
export async function runTrust(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readCommand('trust', argv, OPTIONS);
  const say = (words: string, value: unknown): number => {
    process.stdout.write(
      values.json
        ? `${JSON.stringify(value, undefined, 2)}\n`
        : `${fitted(harmless(words), process.stdout)}\n`,
    );
    return 0;
  };
  if (values.help) {
    printHelp(HELP);
    return 0;
  }
  const [named = '.', ...others] = positionals;
  const chosen = [values.look, values.remove, values.list].filter(Boolean);
  if (others.length > 0 || chosen.length > 1)
    throw new CommandOptionsError('trust', 'Name one folder, and one of --look, --remove and --list.');
  if (values.list) {
    const folders = trustedFolders();
    return say(folders.length > 0 ? folders.join('\n') : 'You trust no folder.', folders);
  }
  const folder = resolve(named);
  if (values.remove) {
    const before = folderTrust(folder);
    const left = await distrustFolder(folder);
    return say(
      before.isTrusted ? `${before.root} is no longer trusted.` : `${folder} was not trusted.`,
      left,
    );
  }
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandOptionsError('trust', `${folder} is no folder.`);
  if (values.look) {
    const { root, isTrusted, withheld } = folderTrust(folder);
    const left = withheld.length > 0 ? ` Left out: ${withheld.join('; ')}.` : '';
    say(isTrusted ? `${root} is trusted.` : `${root} is not trusted.${left}`, folderTrust(folder));
    return isTrusted ? 0 : 1;
  }
  const { withheld } = folderTrust(folder);
  const now = await trustFolder(folder);
  const counts = withheld.length > 0 ? ` This counts from now on: ${withheld.join('; ')}.` : '';
  return say(`${now.root} is trusted.${counts}`, now);
}
