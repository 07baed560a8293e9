import { homedir } from 'node:os';
import { UsageError } from '../base/agent-errors.ts';
import { type EntryPoint, entryPoint } from '../command-line/entry-point.ts';
import { configDir } from '../permission/load-permissions.ts';
import { type SessionPlaces, sessionPlaces } from '../session/session-places.ts';

/** Where an agent was started. */
export interface StartPlace {
  readonly cwd: string;
  readonly home: string;
  /** The variables of the agent, which hosts and settings may change. */
  readonly env: NodeJS.ProcessEnv;
  readonly configDir: string;
  readonly places: SessionPlaces;
  /** One line for whoever reads stderr. */
  readonly onProblem: (text: string) => void;
}

/** The place of this process. */
export function startPlace(entry: EntryPoint, onProblem = tellOnStderr): StartPlace {
  const cwd = workingDirectory();
  const home = homedir();
  const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: entryPoint(process.env, entry) };
  return {
    cwd,
    home,
    env,
    configDir: configDir(env, home),
    places: sessionPlaces(cwd, env, home),
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
