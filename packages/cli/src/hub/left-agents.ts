import { type FoundBridge, findBridges } from '@signalbox/hub/bridge';
import { harmless } from '../harmless-text.ts';
import { ownCommand } from '../own-command.ts';
import { SHORT_ID } from './pick-session.ts';

/** The bridges of a home that run, each with an agent. */
export async function runningBridges(home: string): Promise<FoundBridge[]> {
  return (await findBridges(home)).filter(({ state }) => state === 'running');
}

/** A bridge in words, for people who may not have a hub to ask. */
export function bridgeWords({ session, cwd }: FoundBridge): string {
  return harmless(`${session.slice(0, SHORT_ID)} in ${cwd}`);
}

/** Which agents go on now that the hub is gone, and how to end them; nothing when there are none. */
export async function leftAgents(home: string): Promise<string> {
  const bridges = await runningBridges(home);
  if (bridges.length === 0) return '';
  const list = bridges.map((bridge) => `  ${bridgeWords(bridge)}\n`).join('');
  const count = bridges.length === 1 ? '1 agent goes' : `${bridges.length} agents go`;
  return `${count} on, and will be there when the hub is back:
${list}${ownCommand()} down --agents ends ${bridges.length === 1 ? 'it' : 'them'}.
`;
}
