import type { Terminal } from '@signalbox/protocol/hub';
import { terminalGrant } from '../auth/identity.ts';
import type { Store } from '../store/store.ts';
import type { NewTerminalRun, Terminals } from './terminals.ts';

/** What it takes to start a terminal. */
export interface TerminalStarter {
  store: Store;
  terminals: Terminals;
  /** Makes a token good for nothing, and cuts what it holds open. */
  revoke: (device: string) => Promise<void>;
}

/** Run something in a terminal whose number was taken, with a token of its own. Raises `TERMINAL_NOT_STARTED` or `TERMINAL_UNAVAILABLE`. */
export async function startTerminal(
  { store, terminals, revoke }: TerminalStarter,
  session: string,
  number: number,
  run: Omit<NewTerminalRun, 'token'>,
): Promise<Terminal> {
  const { device, token } = await store.devices.add(terminalGrant(session, number));
  try {
    return await terminals.start(session, number, { ...run, token });
  } catch (error) {
    await revoke(device.id);
    throw error;
  }
}
