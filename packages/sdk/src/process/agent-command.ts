import { commandLine } from '../options/command-line.ts';
import { agentEnvironment } from '../options/environment.ts';
import type { Options } from '../types/options.ts';
import { findExecutable } from './find-executable.ts';

const SCRIPT = /\.(?:[cm]?js|[cm]?ts|jsx|tsx)$/;

/** What to run, with what, and where. */
export interface AgentCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string | undefined;
}

/** The options as a command. Throws `CLI_NOT_FOUND`. */
export function agentCommand(options: Options): AgentCommand {
  const env = agentEnvironment(options);
  const executable = findExecutable(options.pathToClaudeCodeExecutable, env);
  const args = commandLine(options);
  const { cwd, executableArgs = [] } = options;
  if (!SCRIPT.test(executable)) return { command: executable, args, env, cwd };
  const command = options.executable ?? process.execPath;
  return { command, args: [...executableArgs, executable, ...args], env, cwd };
}
