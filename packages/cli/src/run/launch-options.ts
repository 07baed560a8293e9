import { isPermissionMode, PERMISSION_MODES } from '@signalbox/protocol';
import type { HubApi, LoopLaunch } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';

const AGENTS = ['claude', 'signalbox-agent', 'scripted'] as const;

/** What people may name, for a help text. */
export const AGENT_NAMES = AGENTS.join(', ');
export const MODE_NAMES = PERMISSION_MODES.join(', ');

/** The agent that a command line names. Raises `COMMAND_OPTIONS`. */
export function agentNamed(command: string, name: string | undefined): LoopLaunch['agent'] | undefined {
  const known = AGENTS.find((agent) => agent === name);
  if (name === undefined || known) return known;
  throw new CommandOptionsError(command, `${name} is no agent; these are: ${AGENT_NAMES}.`);
}

/** Raises `COMMAND_OPTIONS`. */
export function checkMode(command: string, mode: string | undefined): void {
  if (mode !== undefined && !isPermissionMode(mode))
    throw new CommandOptionsError(command, `${mode} is no mode; these are: ${MODE_NAMES}.`);
}

/** What people get who name no agent. */
export async function firstAgent(api: HubApi): Promise<LoopLaunch['agent']> {
  const { items } = await api.agents();
  const [first] = items.flatMap(({ name, isAvailable }) => (isAvailable && name !== 'custom' ? [name] : []));
  return first ?? 'scripted';
}
