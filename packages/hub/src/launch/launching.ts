import { isUnspecified } from '../auth/host-guard.ts';
import { AgentKeeper } from './agent-keeper.ts';
import { LaunchDesk } from './launch-desk.ts';
import { Launcher, type LauncherParts } from './launcher.ts';

/** All that a hub has to do with the agents of its own machine. */
export interface Launching {
  desk: LaunchDesk;
  keeper: AgentKeeper;
}

/** Put it together; nothing runs before it is asked for. */
export function createLaunching(parts: LauncherParts): Launching {
  const launcher = new Launcher(parts);
  const keeper = new AgentKeeper(parts, launcher);
  return { desk: new LaunchDesk({ ...parts, launcher, keeper }), keeper };
}

/** Where bridges of the same machine dial a hub that listens here. A certificate is good for its name alone. */
export function dialAddress(host: string, port: number, names: readonly string[], isSecure: boolean): string {
  const named = isSecure ? names[0] : undefined;
  const own = isUnspecified(host) ? '127.0.0.1' : host;
  const target = named ?? own;
  return `${isSecure ? 'wss' : 'ws'}://${target.includes(':') ? `[${target}]` : target}:${port}`;
}
