import type { ProgramId } from './program.ts';
import type { Stage } from './stage.ts';

/** One behaviour that every agent of the protocol has, told as a host sees it. */
export interface Scenario {
  readonly name: string;
  /** The official versions that are known not to do it, each with what they do instead. They are tried all the same. */
  readonly misses?: Partial<Record<Exclude<ProgramId, 'ours'>, string>>;
  /** The programs it makes sense for; all, if not said. */
  readonly programs?: readonly ProgramId[];
  /** How long it may take, if longer than others. */
  readonly limitMs?: number;
  /** Gets what it needs from npm; a first install takes minutes, which do not count as its own. */
  prepare?(): Promise<unknown>;
  /** Throws when the program on the stage behaves in another way. */
  play(stage: Stage): Promise<void>;
}

/** The scenarios about one part of an agent. */
export interface Part {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
  /** What the documentation says below its table. */
  readonly notes?: readonly string[];
}
