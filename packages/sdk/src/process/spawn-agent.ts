import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { messageOf } from '@signalbox/protocol';
import { ChildTransport } from '@signalbox/transport/stdio';
import { CLIConnectionError, CLINotFoundError } from '../sdk-errors.ts';
import type { Options } from '../types/options.ts';
import { agentCommand } from './agent-command.ts';
import type { AgentProcess } from './agent-process.ts';
import { ForeignProcess } from './foreign-process.ts';
import { endWithHost } from './living-agents.ts';
import { identityOf } from './process-user.ts';

/** Start the agent that the options ask for. The signal is for a custom spawner; we end our own by closing it. */
export async function spawnAgent(options: Options, signal: AbortSignal): Promise<AgentProcess> {
  const { command, args, env, cwd } = agentCommand(options);
  const { spawnClaudeCodeProcess: custom, stderr: onStderr } = options;
  if (custom) {
    const spawned = custom({ command, args, env, signal, ...(cwd === undefined ? {} : { cwd }) });
    return new ForeignProcess(spawned);
  }
  // Only where it must be awaited: what is said in the meantime should leave with the first write.
  const identity = options.user === undefined ? {} : await identityOf(options.user);
  try {
    // A process group of its own, so that the whole tree can be ended together.
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true, ...identity });
    if (child.pid === undefined) await once(child, 'spawn');
    const agent = new ChildTransport(child, { command, ...(onStderr ? { onStderr } : {}) });
    endWithHost(agent);
    return agent;
  } catch (error) {
    throw notStarted(command, cwd, error);
  }
}

/** The system reports a missing folder as if the command were missing. */
function notStarted(command: string, cwd: string | undefined, cause: unknown): CLIConnectionError {
  if (cwd !== undefined && !existsSync(cwd))
    return new CLIConnectionError(`Working directory does not exist: ${cwd}`, cause);
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  if (isMissing && !existsSync(command))
    return new CLINotFoundError(`${command} was not found. Install it, or set options.executable.`, cause);
  return new CLIConnectionError(
    `Failed to spawn Claude Code process: ${messageOf(cause)}. Check that ${command} may run on this system.`,
    cause,
  );
}
