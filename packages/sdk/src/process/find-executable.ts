import { fileURLToPath } from 'node:url';
import { isFile, placesInPath, placesOfClaude } from '@signalbox/transport/stdio';
import { CLINotFoundError } from '../sdk-errors.ts';

/** Names the executable for every conversation whose options do not. */
export const EXECUTABLE_VARIABLE = 'SIGNALBOX_EXECUTABLE';

/** The agent that comes along: in the package, beside our executables or above their parts, or built from the sources. */
const BUNDLED = [
  './bin/signalbox-agent.js',
  '../bin/signalbox-agent.js',
  './signalbox-agent.js',
  '../signalbox-agent.js',
  '../../../../dist/signalbox-agent.js',
];

/** The program to run: the one that was asked for, or the first that is found. */
export function findExecutable(asked: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = asked ?? env[EXECUTABLE_VARIABLE];
  if (named !== undefined) return checked(named, env);
  const found = [
    ...placesOfClaude(env),
    ...BUNDLED.map((path) => fileURLToPath(new URL(path, import.meta.url))),
    ...placesInPath('signalbox-agent', env),
  ].find(isFile);
  if (found === undefined) throw new CLINotFoundError(NOTHING_FOUND);
  return found;
}

const NOTHING_FOUND = [
  'No agent found. Install one of these:',
  '  npm install -g @anthropic-ai/claude-code',
  '  npm install -g signalbox',
  'If it is installed already, put its folder into PATH, name it in the option pathToClaudeCodeExecutable,',
  `or in the environment variable ${EXECUTABLE_VARIABLE}.`,
].join('\n');

/** A bare name is looked up as a shell would. */
function checked(named: string, env: NodeJS.ProcessEnv): string {
  const isPath = named.includes('/') || named.includes('\\');
  const found = (isPath ? [named] : [...placesInPath(named, env), named]).find(isFile);
  if (found !== undefined) return found;
  throw new CLINotFoundError(
    `Claude Code executable not found at ${named}. Is options.pathToClaudeCodeExecutable or ` +
      `${EXECUTABLE_VARIABLE} right? npm install -g @anthropic-ai/claude-code installs it.`,
  );
}
