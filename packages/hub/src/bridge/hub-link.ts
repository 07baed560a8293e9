import {
  CLOSE_CODE,
  type ConnectionLostError,
  type LinkGap,
  type OutboxOptions,
  RUN_HEADER,
  WebSocketTransport,
} from '@signalbox/transport';
import type { HubAddress } from './hub-address.ts';

/** How long a hub that is away is left alone between two attempts, at most. */
const MAX_REDIAL_MS = 10_000;

/** How long the last goodbye may take. */
const GOODBYE_MS = 2000;

/** What a {@link HubLink} works with. */
export interface HubLinkOptions {
  /** The run of the agent that hears the hub. */
  run: string;
  outbox: OutboxOptions;
  onGap: (gap: LinkGap) => void;
  onFailure: (error: ConnectionLostError) => void;
}

/** The lossless link of a bridge, which never gives up on a hub that is merely away. */
export class HubLink extends WebSocketTransport {
  constructor(hub: HubAddress, { run, outbox, onGap, onFailure }: HubLinkOptions) {
    super(hub.url, {
      lossless: true,
      headers: { [RUN_HEADER]: run },
      agent: hub.agent,
      outbox,
      onGap,
      onFailure,
      // Tokens that a parent agent left in the environment are not for this hub.
      env: {},
      get ingressToken() {
        return hub.token() ?? '';
      },
      reconnect: { attempts: Number.POSITIVE_INFINITY, baseDelayMs: 250, maxDelayMs: MAX_REDIAL_MS },
      closeTimeoutMs: GOODBYE_MS,
    });
  }

  /** Let go of the hub at once, without a goodbye: that would say that all was delivered. */
  abandon(): void {
    this.closeConnection(CLOSE_CODE.failed);
    this.end();
  }

  /** The numbering that its lines have. */
  get epoch(): string {
    return this.sender.epoch;
  }

  /** Settles when the hub has acknowledged all lines, or never will. */
  drained(): Promise<void> {
    return this.sender.drained();
  }

  /** Lines that the hub has not acknowledged. */
  get undelivered(): number {
    return this.sender.undelivered;
  }
}
