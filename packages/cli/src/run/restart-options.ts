import type { LaunchSpec } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';

const POLICIES = ['never', 'on-failure', 'always'] as const;

/** How often an agent may be started again in a row, as the hub has it. */
const MOST = 100;

/** When an agent is started again that has ended by itself. Raises `COMMAND_OPTIONS`. */
export function restartIn({
  restart,
  restarts,
}: {
  restart?: string | undefined;
  restarts?: string | undefined;
}): Pick<LaunchSpec, 'restart' | 'restartLimit'> {
  const policy = POLICIES.find((name) => name === restart);
  if (restart !== undefined && !policy)
    throw new CommandOptionsError('run', `--restart is one of ${POLICIES.join(', ')}.`);
  if (restarts === undefined) return policy ? { restart: policy } : {};
  const limit = Number(restarts);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw new CommandOptionsError('run', `--restarts is a number from 1 to ${MOST}.`);
  if (!policy || policy === 'never')
    throw new CommandOptionsError('run', '--restarts goes with --restart on-failure or --restart always.');
  return { restart: policy, restartLimit: limit };
}
