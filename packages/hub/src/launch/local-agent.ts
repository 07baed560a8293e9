import type { LaunchSpec } from '@signalbox/protocol/hub';

/** An agent that a hub knows how to run, if it is on this machine. */
export interface LocalAgent {
  name: Exclude<LaunchSpec['agent'], 'custom'>;
  /** What people read, also as the agent of a session. */
  title: string;
  /** The program and its first words; null when it is not here. */
  command: readonly string[] | null;
  path: string | null;
  /** Why it is not here, and what to do about that. */
  why: string | null;
  /** What it says of its version. */
  version: () => Promise<string | null>;
}

/** What a hub needs to launch agents. */
export interface LaunchSetup {
  /** Where Signalbox keeps its data. */
  home: string;
  /** How to run `signalbox`: the program and its first words. */
  program: readonly string[];
  /** Looked for each time: one may be installed while the hub runs. */
  agents: () => readonly LocalAgent[];
  /** What a person types on this machine to let an agent dial in. */
  dialIn?: string;
}
