import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf, SignalboxError } from '@signalbox/protocol';
import { commandHere } from './own-command.ts';

/** The command line of a command is wrong. */
export class CommandOptionsError extends SignalboxError {
  constructor(command: string, problem: string) {
    super('COMMAND_OPTIONS', `${problem} Try ${commandHere(`${command} --help`)}.`);
  }
}

/** The options of a command, and the words beside them. Raises `COMMAND_OPTIONS`. */
export function readCommand<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new CommandOptionsError(command, problemIn(messageOf(error)));
  }
}

/** What Node says is wrong, without its advice about options that begin with a dash. */
function problemIn(text: string): string {
  const [problem = text] = text.split(/\.?\s+To specify /);
  return `${problem.replaceAll(/\s+/g, ' ').replace(/[.?]?$/, '')}.`;
}
