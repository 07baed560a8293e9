import type {
  FolderChanges,
  LoopEnd,
  LoopIteration,
  LoopProgress,
  LoopReason,
  LoopRules,
} from '@signalbox/protocol/loop';
import type { SDKMessage } from '../types/messages.ts';
import type { Options } from '../types/options.ts';
import { AgentLoop } from './agent-loop.ts';
import { checkLoop } from './check-loop.ts';

/** What a loop says to its agents, and until when. */
export interface LoopOptions extends Partial<LoopRules> {
  /** What each agent is told. */
  prompt?: string;
  /** A file with it, in place of `prompt`; read again for each iteration. */
  promptFile?: string;
  /** How each agent is run, as for `query`. */
  options?: Options;
  /** One agent and one conversation for all iterations, in place of a fresh one for each. */
  keepSession?: boolean;
  /** A port where frontends look on: agents dial it with `--sdk-url`, and those that refuse it run behind a bridge. */
  relay?: LoopRelayOptions;
  /** Stops the loop with the turn that runs. */
  signal?: AbortSignal;
}

/** Where others look on at the agents of a loop. */
export interface LoopRelayOptions {
  /** The first free port from 8765 to 8864 unless given. */
  port?: number;
  /** What observers have to show. Without it every program of this machine may look. */
  token?: string;
  /** Whether they only hear the agents, or prompt them and answer what they ask as well. `watch` unless given. */
  observers?: 'watch' | 'drive';
}

/** What happens in a loop. */
export type LoopNews =
  | { type: 'begun'; iteration: LoopIteration }
  | { type: 'message'; number: number; message: SDKMessage }
  | { type: 'over'; iteration: LoopIteration }
  | { type: 'paused'; reason: LoopReason };

/** What a loop came to. */
export interface LoopResult {
  end: LoopEnd;
  reason: LoopReason;
  iterations: readonly LoopIteration[];
  turns: number;
  costUsd: number;
  /** What changed in the git repository of the folder; null where there is none. */
  changes: FolderChanges | null;
}

/** A loop that goes on while it is read. Leaving it ends its agent. */
export interface LoopRun extends AsyncIterableIterator<LoopNews, LoopResult, undefined>, AsyncDisposable {
  readonly progress: LoopProgress;
  /** Where observers look on: `ws://127.0.0.1:<port>`; undefined without `relay`. Rejects with `LISTEN_FAILED`. */
  readonly url: Promise<string | undefined>;
  /** Pause once the iteration under way is over. */
  pause(): void;
  resume(): void;
  /** End the turn that runs, and then the loop. */
  stop(): void;
  /** Change the rules: they count at once. Null takes a condition or the budget away. */
  edit(change: LoopRulesChange): void;
  /** Read to the end. */
  finish(): Promise<LoopResult>;
}

/** Other rules for a loop that runs. */
export type LoopRulesChange = { [Name in keyof LoopRules]?: LoopRules[Name] | null };

/**
 * Run an agent again and again with the same prompt until a condition comes, as `signalbox loop` does, without a hub: what decides is the
 * same. Raises `OPTIONS_INVALID`. The loop goes on while it is read.
 */
export function loop(options: LoopOptions): LoopRun {
  checkLoop(options);
  return new AgentLoop(options);
}
