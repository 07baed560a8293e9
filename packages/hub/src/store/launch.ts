import type { LaunchSpec } from '@signalbox/protocol/hub';

/** How the hub launched a session's agent, for when it is to be launched again. Its variables may be secrets. */
export interface Launch {
  /** `origin` is the folder that was named where the agent works in a worktree of it; `node` has its process and its files. */
  spec: LaunchSpec & { origin?: string; node?: string };
  /** The device whose token the agent's bridge dials in with. */
  device: string;
}

/** Launches by their session; they go with it. */
export interface Launches {
  /** In the place of the one before. Raises `STORE_SESSION_NOT_FOUND`. */
  keep(session: string, launch: Launch): Promise<void>;
  get(session: string): Promise<Launch | undefined>;
}
