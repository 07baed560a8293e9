import { type RunningBridge, runBridge, temporaryFolder } from './run-bridge.ts';
import { TestHub } from './test-hub.ts';

/** An agent behind a bridge, and the hub that hears it in session `s`. */
export interface BridgedAgent {
  hub: TestHub;
  /** The home of both, and the folder that the agent works in. */
  home: string;
  bridge: RunningBridge;
}

/** Run an agent behind a bridge to a hub of its own. */
export async function bridged(command: readonly string[]): Promise<BridgedAgent> {
  const hub = await TestHub.start();
  const home = temporaryFolder();
  return { hub, home, bridge: runBridge({ hub: hub.url, home, command }) };
}
