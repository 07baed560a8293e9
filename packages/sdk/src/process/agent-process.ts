import type { ChildExit, StreamTransport } from '@signalbox/transport/stdio';

/** A running agent: its lines, and how it ended. Closing it ends it. */
export type AgentProcess = StreamTransport & {
  /** Settles when it is gone and all that it wrote was read; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The end of what it wrote to stderr. */
  readonly stderrTail: string;
};
