import type { Session } from './session.ts';

/** What a session says that it runs when that is the built-in model: a script, which nobody pays for. */
export const SCRIPTED_AGENT = 'built-in scripted model';

/** What a hub is asked to start on its own machine. */
export interface LaunchSpec {
  /** `scripted` is signalbox-agent on the built-in model; `custom` runs `command`. */
  agent: 'claude' | 'signalbox-agent' | 'scripted' | 'custom';
  command?: string[];
  /** More words for the agent's command line. */
  args?: string[];
  /** Where it works: an absolute path. */
  folder: string;
  model?: string;
  /** The permission mode. */
  mode?: string;
  tools?: string[];
  allowedTools?: string[];
  disallowedTools?: string[];
  /** A session of the agent, or of the hub, to go on with. */
  resume?: string;
  /** Go on with a copy of it. */
  fork?: boolean;
  /** The first prompt. */
  prompt?: string;
  env?: Record<string, string>;
}

/** A place for an agent, or an agent that the hub starts itself. */
export interface NewSession {
  id?: string;
  title?: string;
  launch?: LaunchSpec;
}

/** A session that was made; `token` and `path` are for an agent that dials in by itself. */
export interface CreatedSession {
  session: Session;
  token?: string;
  path?: string;
}

/** The agents that a hub could start, and what is typed on its machine to let one dial in. */
export interface LaunchableAgents {
  items: LaunchableAgent[];
  dialIn?: string;
}

/** An agent that a hub could start. */
export interface LaunchableAgent {
  name: LaunchSpec['agent'];
  title: string;
  path: string | null;
  version: string | null;
  isAvailable: boolean;
  /** Why it cannot be started. */
  why: string | null;
}
