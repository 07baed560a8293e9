import type { Channel, WireLine } from '@signalbox/protocol';

/** Where a transport is in its life. `closed` is final. */
export type TransportState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'closing' | 'closed';

/** A way for lines to travel, both ways, in order. `test/contract.ts` is what every implementation keeps. */
export interface Transport extends Channel {
  readonly state: TransportState;

  /**
   * Take one line, without its line end. The promise settles when there is room for the next: a writer that
   * awaits it can never outrun its reader. Rejects with `TRANSPORT_CLOSED` once the transport is closing.
   * Bytes are not copied: do not write into them afterwards.
   */
  send(line: string | Uint8Array): Promise<void>;

  /**
   * The lines of the other side. One consumer per transport. Ends when either side closes, after everything
   * that arrived was handed over; throws when the transport failed.
   */
  receive(): AsyncIterableIterator<WireLine>;

  /** Called after every change of state; returns the way to stop it. */
  onStateChange(listener: (state: TransportState) => void): () => void;

  /** Deliver what was taken, then let go of everything. Calling it again waits for the same end. */
  close(): Promise<void>;
}
