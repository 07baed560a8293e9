import type { WireLine } from '../line/wire-line.ts';

/** What a {@link ControlPeer} needs of a transport: a way out and a way in for lines. */
export interface Channel {
  /** Settles when the channel takes the next line; rejects when this one cannot be sent any more. */
  send(line: string | Uint8Array): Promise<void>;
  /** Lines from the other side, in order; ends when the channel is closed, throws when it failed. */
  receive(): AsyncIterable<WireLine>;
}
