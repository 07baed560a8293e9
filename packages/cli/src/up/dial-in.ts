import { realpathSync } from 'node:fs';
import type { LocalAgent } from '@signalbox/hub';
import { isFile, placesInPath } from '@signalbox/transport/stdio';
import { ownCommand, shellWord } from '../own-command.ts';

/** What a person types in any terminal of this machine to let its first agent dial in. */
export function dialInCommand(agents: readonly LocalAgent[], env: NodeJS.ProcessEnv = process.env): string {
  const { command } = agents.find((agent) => agent.command !== null) ?? {};
  const words = command ? shortCommand(command, env).map(shellWord) : ['<agent command>'];
  return `${ownCommand(env)} bridge -- ${words.join(' ')}`;
}

/** A command by the names that a shell finds; it may run another one, behind `--`. */
function shortCommand(command: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const end = command.indexOf('--');
  if (end !== -1)
    return [...shortCommand(command.slice(0, end), env), '--', ...shortCommand(command.slice(end + 1), env)];
  const [program = '', script = '', ...rest] = command;
  const name = shortName(script, env);
  // Node does not look for scripts in the PATH: one that is there runs by its own name.
  if (program === process.execPath && name !== undefined) return [name, ...rest];
  return [shortName(program, env) ?? program, ...command.slice(1)];
}

/** The name of a program where a shell finds that very program by it. */
function shortName(file: string, env: NodeJS.ProcessEnv): string | undefined {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const found = file.startsWith('/') ? placesInPath(name, env).find(isFile) : undefined;
  return found !== undefined && realpathSync(found) === realpathSync(file) ? name : undefined;
}
