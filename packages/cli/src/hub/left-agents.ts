import { type FoundBridge, findBridges } from '@signalbox/hub/bridge';
import type { RunningTerminal } from '@signalbox/hub/terminal-host';
import { harmless } from '../harmless-text.ts';
import { ownCommand } from '../own-command.ts';
import { shortId } from './pick-session.ts';

/** The bridges of a home that run, each with an agent. */
export async function runningBridges(home: string): Promise<FoundBridge[]> {
  return (await findBridges(home)).filter(({ state }) => state === 'running');
}

/** The terminals of a home that run. */
export async function runningTerminals(home: string): Promise<RunningTerminal[]> {
  const { findTerminals } = await import('@signalbox/hub/terminal-host');
  return findTerminals(home);
}

/** A terminal in words, for people who may not have a hub to ask. */
export function terminalWords({ session, number, folder }: RunningTerminal): string {
  return harmless(`${shortId(session)}, terminal ${number}, in ${folder}`);
}

/** A bridge in words, for people who may not have a hub to ask. */
export function bridgeWords({ session, cwd }: FoundBridge): string {
  return harmless(`${shortId(session)} in ${cwd}`);
}

/** Which agents and terminals go on now that the hub is gone, and how to end them; nothing when there are none. */
export async function leftAgents(home: string): Promise<string> {
  const agents = (await runningBridges(home)).map(bridgeWords);
  const terminals = (await runningTerminals(home)).map(terminalWords);
  const left = [...agents, ...terminals];
  if (left.length === 0) return '';
  const counts = [counted(agents.length, 'agent'), counted(terminals.length, 'terminal')].filter(Boolean);
  const [goes, them] = left.length === 1 ? ['goes', 'it'] : ['go', 'them'];
  return `${counts.join(' and ')} ${goes} on, and will be there when the hub is back:
${left.map((words) => `  ${words}\n`).join('')}${ownCommand()} down --agents ends ${them}.
`;
}

function counted(count: number, what: string): string {
  if (count === 0) return '';
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
