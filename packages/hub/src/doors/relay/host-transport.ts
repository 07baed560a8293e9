import type { WireLine } from '@signalbox/protocol';
import { AcceptedTransport } from '@signalbox/transport';
import { readings } from '../../base/readings.ts';

/** What may wait for a host that reads slowly. */
export const MAX_HOST_BYTES = 16 * 1024 * 1024;

/** The hub's end of one connection of a host. Another connection gets another: what it lacks is in the record. */
export class HostTransport extends AcceptedTransport {
  #waiting = 0;
  #room: Promise<void> = Promise.resolve();

  constructor(maxLineBytes: number) {
    super({ lossless: true, acknowledge: 'manual', maxLineBytes, readings });
    this.onStateChange((state) => {
      if (state === 'reconnecting') void this.handOver();
    });
  }

  /** Whether more waits for the host than it may keep waiting. */
  get isBehind(): boolean {
    return this.#waiting > MAX_HOST_BYTES;
  }

  write(line: string | WireLine): void {
    if (this.state !== 'connected') return;
    const outgoing = typeof line === 'string' ? line : line.bytes();
    this.#waiting += outgoing.length;
    this.#room = this.send(outgoing).then(
      () => void (this.#waiting -= outgoing.length),
      // One who is gone needs nothing any more.
      () => {},
    );
  }

  /** Settles when the host has taken most of what was written, or is gone. */
  drained(): Promise<void> {
    return this.#room;
  }

  /** End the connection, and say why. */
  dismiss(code: number): void {
    this.closeConnection(code);
    this.end();
  }
}
