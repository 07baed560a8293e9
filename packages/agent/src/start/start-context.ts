import { homedir } from 'node:os';
import { UsageError } from '../base/agent-errors.ts';
import { type EntryPoint, entryPoint } from '../command-line/entry-point.ts';
import { configDir } from '../permission/load-permissions.ts';
import { type SessionPaths, sessionPathsOf } from '../session/session-paths.ts';

/** The folders and variables that an agent was started with. */
export interface StartContext {
  readonly cwd: string;
  readonly home: string;
  /** The variables of the agent, which hosts and settings may change. */
  readonly env: NodeJS.ProcessEnv;
  readonly configDir: string;
  readonly sessionPaths: SessionPaths;
  /** One line for whoever reads stderr. */
  readonly onProblem: (text: string) => void;
}

/** The context of this process. */
export function startContext(entry: EntryPoint, onProblem = tellOnStderr): StartContext {
  const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: entryPoint(process.env, entry) };
  return startContextIn(workingDirectory(), env, onProblem);
}

/** The context of an agent that works in this folder, with these variables. */
export function startContextIn(
  cwd: string,
  env: NodeJS.ProcessEnv,
  onProblem: (text: string) => void,
): StartContext {
  const home = homedir();
  return {
    cwd,
    home,
    env,
    configDir: configDir(env, home),
    sessionPaths: sessionPathsOf(cwd, env, home),
    onProblem,
  };
}

function tellOnStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('The working directory is gone. Change to another one and start again.');
  }
}
