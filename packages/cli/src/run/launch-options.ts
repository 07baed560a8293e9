import { isPermissionMode, PERMISSION_MODES } from '@signalbox/protocol';
import type { HubApi, LaunchableAgent } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';
import { harmless } from '../harmless-text.ts';

/** What people may name, for a help text. */
export const AGENT_NAMES = 'claude, signalbox-agent, scripted, or one of config.json';
export const MODE_NAMES = PERMISSION_MODES.join(', ');

/** The agent that a command line names, or what people get who name none. Raises `COMMAND_OPTIONS`. */
export async function agentNamed(
  command: string,
  api: HubApi,
  name: string | undefined,
): Promise<Pick<LaunchableAgent, 'name' | 'view'>> {
  const { items } = await api.agents();
  if (name === undefined)
    return items.find(({ isAvailable, view }) => isAvailable && view !== 'terminal') ?? SCRIPTED;
  const known = items.find((agent) => agent.name === name);
  if (known) return known;
  const names = items.map((agent) => harmless(agent.name)).join(', ');
  throw new CommandOptionsError(command, `${harmless(name)} is no agent of this hub; these are: ${names}.`);
}

const SCRIPTED = { name: 'scripted', view: 'sdk' } as const;

/** Raises `COMMAND_OPTIONS`. */
export function checkMode(command: string, mode: string | undefined): void {
  if (mode !== undefined && !isPermissionMode(mode))
    throw new CommandOptionsError(command, `${mode} is no mode; these are: ${MODE_NAMES}.`);
}
