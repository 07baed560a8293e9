import type { ChildExit, StreamTransport } from '@signalbox/transport/stdio';
import type { Options } from '../types/options.ts';

/** A running agent: its lines, and how it ended. Closing it ends it. */
export interface AgentProcess extends Pick<StreamTransport, 'send' | 'receive' | 'endInput' | 'close'> {
  /** Settles when it is gone and all that it wrote was read; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The end of what it wrote to stderr. */
  readonly stderrTail: string;
}

/** Brings an agent to life, or finds one that lives. `signal` fires when it must end. */
export type StartAgent = (options: Options, signal: AbortSignal) => Promise<AgentProcess>;
