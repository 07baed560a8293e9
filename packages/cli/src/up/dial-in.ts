import { realpathSync } from 'node:fs';
import type { LocalAgent } from '@signalbox/hub';
import { isFile, placesInPath } from '@signalbox/transport/stdio';
import { ownCommand, shellWord } from '../own-command.ts';

/** What a person types in any terminal of this machine to let its first agent dial in. */
export function dialInCommand(agents: readonly LocalAgent[], env: NodeJS.ProcessEnv = process.env): string {
  const { command } = agents.find((agent) => agent.command !== null) ?? {};
  const words = command?.map((word) => shellWord(shortName(word, env))) ?? ['<agent command>'];
  return `${ownCommand(env)} bridge -- ${words.join(' ')}`;
}

/** The name of a program where a shell finds that very program by it. */
function shortName(word: string, env: NodeJS.ProcessEnv): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  const found = word.startsWith('/') ? placesInPath(name, env).find(isFile) : undefined;
  return found !== undefined && realpathSync(found) === realpathSync(word) ? name : word;
}
