import { isUnspecified } from '../auth/host-guard.ts';
import { type Log, SILENT_LOG } from '../log/log.ts';
import { AgentKeeper } from './agent-keeper.ts';
import { LaunchDesk } from './launch-desk.ts';
import { Launcher, type LauncherParts } from './launcher.ts';

/** All that a hub has to do with the agents of its own machine. */
export interface Launching {
  desk: LaunchDesk;
  keeper: AgentKeeper;
}

/** Put it together; nothing runs before it is asked for. */
export function createLaunching({ log = SILENT_LOG, ...parts }: LauncherParts & { log?: Log }): Launching {
  const launcher = new Launcher(parts);
  const keeper = new AgentKeeper(parts, launcher);
  return { desk: new LaunchDesk({ ...parts, launcher, keeper, log }), keeper };
}

/** Where bridges of the same machine dial a hub that listens here. */
export function dialAddress(host: string, port: number, isSecure: boolean): string {
  const target = isUnspecified(host) ? '127.0.0.1' : host;
  return `${isSecure ? 'wss' : 'ws'}://${target.includes(':') ? `[${target}]` : target}:${port}`;
}
