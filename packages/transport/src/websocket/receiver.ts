import type { WireLine } from '@signalbox/protocol';
import { LineQueue } from '../line-queue.ts';
import { type LinkFrame, type LinkPosition, LinkProtocolError } from '../link/link-frame.ts';
import { LineNumbering } from './line-numbering.ts';

/** A busy link says so often how far it has got, or after so many lines; one that was quiet says it at once. */
const ACK_INTERVAL_MS = 10;
const ACK_LINES = 256;

/** Lines that the other side numbered, that never arrived, and that it no longer has. */
export interface LinkGap {
  epoch: string;
  from: number;
  to: number;
}

/** How the lines of a lossless link are received. */
export interface ReceiverOptions {
  /**
   * When a line counts as received for good: `read`, once the consumer has come back for the next one;
   * `manual`, once `acknowledge()` was called for it, for example because it is on disk.
   */
  acknowledge?: 'read' | 'manual';
  /** Where an earlier process of this side had got to in the other side's lines. */
  received?: LinkPosition;
  onGap?: (gap: LinkGap) => void;
}

/** What a {@link Receiver} asks of its transport. */
export interface ReceiverOutlets {
  /** There is room again after a plain line found none. */
  onRoom: () => void;
  /** The consumer has dealt with all that arrived. */
  onDealtWith: () => void;
  /** Tell the other end of a lossless link. */
  say: (frame: LinkFrame) => void;
}

/** How far the peer of this connection has told who it is; a line means nothing before `numbering`. */
type Greeting = { state: 'awaited' } | { state: 'greeted' } | { state: 'numbering'; next: number };

/** The way in: hands lines to the consumer, drops what came twice, and knows what may be acknowledged. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #say: (frame: LinkFrame) => void;
  readonly #onDealtWith: () => void;
  readonly #lines: LineQueue;
  readonly #numbering = new LineNumbering();
  #greeting: Greeting = { state: 'awaited' };
  /** What arrived, read or not. */
  #arrived: LinkPosition | null;
  /** How much of `#arrived` is received for good. */
  #acknowledged: number;
  /** How much of that the other side was told, and when. */
  #said = 0;
  #saidAtMs = Number.NEGATIVE_INFINITY;
  #ackPlanned: 'no' | 'later' | 'now' = 'no';
  /** A `read` receiver answers for unread lines too, once its consumer wants no more or either side is leaving. */
  #answersForUnread: 'no' | 'on-this-connection' | 'always' = 'no';
  #isHolding = false;
  #lastId: string | undefined;

  constructor(options: ReceiverOptions, { onRoom, onDealtWith, say }: ReceiverOutlets) {
    this.#options = options;
    this.#say = say;
    this.#onDealtWith = onDealtWith;
    this.#lines = new LineQueue({
      onRoom: () => {
        onRoom();
        if (this.#isHolding) say({ link: 'go' });
        this.#isHolding = false;
      },
    });
    this.#arrived = options.received ? { ...options.received } : null;
    this.#acknowledged = options.received?.count ?? 0;
  }

  /** The number of the last line that the consumer was given; null before the first. */
  get position(): LinkPosition | null {
    return this.#numbering.position;
  }

  /** The id of the last message that arrived from a plain peer. */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** The lines, for one consumer. */
  receive(): AsyncIterableIterator<WireLine> {
    const lines = this.#lines.claim();
    return {
      // Whoever asks for a line has dealt with the one before.
      next: () => {
        if (this.#lines.isEmpty) this.#onDealtWith();
        this.#acknowledgeRead();
        this.#numbering.noteRequest();
        return lines.next();
      },
      return: async () => {
        this.answerForUnread();
        await lines.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** The next line, if one has arrived, for the consumer of `receive()`. */
  take(): WireLine | undefined {
    if (this.#lines.isEmpty) {
      this.#onDealtWith();
      return undefined;
    }
    this.#acknowledgeRead();
    this.#numbering.noteRequest();
    return this.#lines.take();
  }

  /** A line from a peer that does not number. False asks the source to pause. */
  plainLine(line: WireLine): boolean {
    this.#lastId = line.head().uuid ?? this.#lastId;
    return this.#push(line);
  }

  /** A new connection of a lossless link: say who we are, and what the other side need not send again. */
  greet(ownEpoch: string): void {
    this.#greeting = { state: 'awaited' };
    if (this.#answersForUnread === 'on-this-connection') this.#answersForUnread = 'no';
    this.#say({ link: 'hello', epoch: ownEpoch, received: this.#arrived && { ...this.#arrived } });
    if (this.#isHolding) this.#say({ link: 'hold' });
  }

  /** Whose lines will come over this connection. */
  peerIs(epoch: string): void {
    if (this.#greeting.state !== 'awaited') throw new LinkProtocolError('a second hello');
    this.#greeting = { state: 'greeted' };
    if (this.#arrived?.epoch !== epoch) {
      this.#arrived = { epoch, count: 0 };
      this.#acknowledged = 0;
      this.#said = 0;
    }
    // Ahead of our own lines: behind them it may never arrive on a connection that keeps breaking.
    if (this.#acknowledged > 0) this.#sayAck();
  }

  /** The next line of this connection has this number. */
  startsAt(number: number): void {
    const arrived = this.#arrived;
    if (!arrived || this.#greeting.state === 'awaited')
      throw new LinkProtocolError('a number before its hello');
    if (this.#greeting.state === 'numbering') throw new LinkProtocolError('a second number');
    this.#greeting = { state: 'numbering', next: number };
    const { epoch, count } = arrived;
    arrived.count = Math.max(count, number - 1);
    this.#numbering.start(epoch, arrived.count + 1);
    if (arrived.count > count) this.#options.onGap?.({ epoch, from: count + 1, to: arrived.count });
  }

  /** A line of a lossless link. False asks the source for no more. */
  numberedLine(line: WireLine): boolean {
    if (this.#greeting.state !== 'numbering' || !this.#arrived)
      throw new LinkProtocolError('a line before its number');
    const number = this.#greeting.next;
    this.#greeting.next += 1;
    if (number <= this.#arrived.count) return true;
    this.#arrived.count = number;
    const hasRoom = this.#push(line);
    if (!hasRoom) this.#hold();
    this.#acknowledgeUnread();
    return hasRoom;
  }

  /** The other side is about to leave, and will not be there to send anything again. */
  peerLeaves(): void {
    if (this.#answersForUnread === 'no') this.#answersForUnread = 'on-this-connection';
    this.#acknowledgeUnread();
  }

  /** This side is about to leave: what arrived stays here for the consumer, and need not be sent again. */
  answerForUnread(): void {
    this.#answersForUnread = 'always';
    this.#acknowledgeUnread();
  }

  /** The lines up to this position are safe here: the other side may forget them. */
  acknowledge(position: LinkPosition): void {
    const arrived = this.#arrived;
    // What an earlier process of the other side sent is nothing that this one keeps.
    if (!arrived || position.epoch !== arrived.epoch) return;
    const count = Math.min(position.count, arrived.count);
    if (count <= this.#acknowledged) return;
    this.#acknowledged = count;
    this.#planAck();
  }

  /** Say now what would be said later. */
  flushAck(): void {
    if (this.#ackPlanned === 'no') return;
    this.#ackPlanned = 'no';
    // Before the hello it is not known whose lines these are to the other side.
    if (this.#greeting.state !== 'awaited') this.#sayAck();
  }

  end(error?: Error): void {
    this.#lines.end(error);
  }

  /** Leave what the consumer was not given yet to another process. */
  async forgetUnread(): Promise<void> {
    await this.#lines.return();
  }

  #push(line: WireLine): boolean {
    this.#numbering.noteArrival();
    return this.#lines.push(line);
  }

  /** To stop reading the connection instead would keep the other side's acknowledgements from us. */
  #hold(): void {
    if (this.#isHolding) return;
    this.#isHolding = true;
    this.#say({ link: 'hold' });
  }

  #acknowledgeRead(): void {
    const position = this.#options.acknowledge === 'manual' ? null : this.position;
    if (position) this.acknowledge(position);
  }

  #acknowledgeUnread(): void {
    if (this.#options.acknowledge === 'manual' || this.#answersForUnread === 'no') return;
    if (this.#arrived) this.acknowledge(this.#arrived);
  }

  #sayAck(): void {
    this.#said = this.#acknowledged;
    this.#saidAtMs = performance.now();
    this.#say({ link: 'ack', count: this.#acknowledged });
  }

  /** A write for every line of a busy link would cost more than the line. One who leaves is not kept waiting. */
  #planAck(): void {
    if (this.#ackPlanned === 'now') return;
    const waitMs = this.#saidAtMs + ACK_INTERVAL_MS - performance.now();
    const isDue =
      waitMs <= 0 || this.#acknowledged - this.#said >= ACK_LINES || this.#answersForUnread !== 'no';
    if (isDue) setImmediate(() => this.flushAck());
    else if (this.#ackPlanned === 'no') setTimeout(() => this.flushAck(), waitMs);
    this.#ackPlanned = isDue ? 'now' : 'later';
  }
}
