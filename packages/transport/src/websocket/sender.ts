import { Gate } from '../gate.ts';
import { OUTBOX_MEMORY_BYTES, Outbox, type OutboxOptions, OutboxReadError } from '../link/outbox.ts';
import { type OutgoingLine, weigh } from '../outgoing-line.ts';
import { idOf } from './last-request-id.ts';
import type { LineSocket } from './line-socket.ts';

/** How many bytes may be on their way to a connected peer before `send` waits. */
export const SOCKET_HIGH_WATER_BYTES = 512 * 1024;

/** Lines are gathered into frames of no more than this, unless one line is longer. */
const FRAME_BYTES = 64 * 1024;

/** What a plain peer may have missed and can be sent again: this many lines, and no more than this many bytes. */
export const REPLAY_LINES = 1000;
export const REPLAY_BYTES = 16 * 1024 * 1024;

/** The way out: takes lines, keeps them while they may be needed again, writes them to the connection there is. */
export class Sender {
  readonly #outbox: Outbox;
  readonly #replayBytes: number;
  readonly #onBroken: (error: OutboxReadError) => void;
  readonly #gate = new Gate();
  #socket: LineSocket | undefined;
  /** What a plain peer has been written counts as delivered; a lossless one says so itself. */
  #link: 'plain' | 'lossless' = 'plain';
  /** The peer asked not to be sent more for now. */
  #isHeld = false;
  #next = 1;
  /** The last line that is known to have left this process. */
  #written = 0;
  #unsentWeight = 0;
  #flushPlanned = false;
  #onDrained: () => void = () => {};

  constructor(options: OutboxOptions = {}, onBroken: (error: OutboxReadError) => void) {
    this.#outbox = new Outbox(options);
    // What is kept for a replay must leave room for what is new.
    this.#replayBytes = Math.min(REPLAY_BYTES, (options.memoryBytes ?? OUTBOX_MEMORY_BYTES) / 2);
    this.#onBroken = onBroken;
  }

  get epoch(): string {
    return this.#outbox.epoch;
  }

  /** The id of the last message that left this process. */
  get lastSentId(): string | undefined {
    const number = this.#findLast(this.#written, (id) => id !== undefined);
    return number === undefined ? undefined : this.#idAt(number);
  }

  /** Lines that were taken and that the other side is not known to have. */
  get undelivered(): number {
    const delivered = this.#link === 'lossless' ? this.#outbox.first - 1 : this.#written;
    return this.#outbox.last - delivered;
  }

  /** Take a line that holds no line end. */
  send(line: OutgoingLine): Promise<void> {
    this.#outbox.append(line);
    this.#unsentWeight += weigh(line);
    this.#planFlush();
    if (this.#isBehind(SOCKET_HIGH_WATER_BYTES)) this.#gate.shut();
    return this.#gate.passage();
  }

  /** Go on with a plain peer: after the message it names, else after the last that left this process. */
  startPlain(socket: LineSocket, lastReceivedId: string | undefined): void {
    this.#link = 'plain';
    this.#start(socket, lastReceivedId === undefined ? this.#written + 1 : this.#numberAfter(lastReceivedId));
  }

  /** Go on with a peer that has the lines up to `received`; returns the number of the line it gets next. */
  startLossless(socket: LineSocket, received: number): number {
    this.#link = 'lossless';
    this.#start(socket, Math.min(received, this.#outbox.last) + 1);
    return this.#next;
  }

  /** The connection is gone; lines wait for the next one. */
  stop(): void {
    this.#socket = undefined;
    this.#openGateIfRoom();
  }

  /** The other side has the lines up to `number` for good. */
  acknowledged(number: number): void {
    this.#outbox.release(Math.min(number, this.#next - 1));
    this.#openGateIfRoom();
    this.#noteDrained();
  }

  hold(): void {
    this.#isHeld = true;
  }

  go(): void {
    this.#isHeld = false;
    this.#planFlush();
  }

  /** Settles when the other side has all that was taken, as far as the link can tell, or never will. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      this.#noteDrained();
    });
  }

  close(error: unknown): void {
    this.#socket = undefined;
    this.#gate.refuse(error);
    this.#outbox.close();
    this.#onDrained();
  }

  #start(socket: LineSocket, number: number): void {
    this.#socket = socket;
    this.#isHeld = false;
    this.#next = Math.max(number, this.#outbox.first);
    this.#written = this.#next - 1;
    this.#planFlush();
  }

  /** Lines sent in one turn of the event loop leave together: system calls are what a line costs. */
  #planFlush(): void {
    if (this.#flushPlanned || !this.#socket) return;
    this.#flushPlanned = true;
    process.nextTick(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    const socket = this.#socket;
    if (!socket) return;
    try {
      while (!this.#isHeld && socket.bufferedBytes < SOCKET_HIGH_WATER_BYTES) {
        const lines = this.#outbox.read(this.#next, FRAME_BYTES);
        if (lines.length === 0) break;
        this.#next += lines.length;
        const last = this.#next - 1;
        socket.sendLines(lines, () => this.#wrote(socket, last));
      }
      this.#unsentWeight = this.#outbox.weightFrom(this.#next);
    } catch (error) {
      if (error instanceof OutboxReadError) return this.#onBroken(error);
      throw error;
    }
    this.#openGateIfRoom();
  }

  #wrote(socket: LineSocket, last: number): void {
    if (socket !== this.#socket) return;
    this.#written = last;
    if (this.#link === 'plain') this.#trimReplay();
    this.#noteDrained();
    this.#flush();
  }

  #isBehind(limit: number): boolean {
    if (this.#outbox.isFull) return true;
    return this.#socket !== undefined && this.#unsentWeight + this.#socket.bufferedBytes > limit;
  }

  #openGateIfRoom(): void {
    if (this.#gate.isShut && !this.#isBehind(SOCKET_HIGH_WATER_BYTES / 2)) this.#gate.open();
  }

  #noteDrained(): void {
    if (this.undelivered === 0) this.#onDrained();
  }

  #trimReplay(): void {
    this.#outbox.release(this.#written - REPLAY_LINES);
    const isHeavy = (): boolean => this.#outbox.weight - this.#unsentWeight > this.#replayBytes;
    while (isHeavy() && this.#outbox.first <= this.#written) this.#outbox.release(this.#outbox.first);
  }

  #numberAfter(id: string): number {
    const number = this.#findLast(this.#next - 1, (other) => other === id);
    // It names something older than all that is kept: everything kept is news to it.
    return number === undefined ? this.#outbox.first : number + 1;
  }

  /** Looks no further back than a replay goes: an outbox may be long, and on disk. */
  #findLast(from: number, matches: (id: string | undefined) => boolean): number | undefined {
    const oldest = Math.max(this.#outbox.first, from - REPLAY_LINES + 1);
    for (let number = from; number >= oldest; number -= 1) if (matches(this.#idAt(number))) return number;
    return undefined;
  }

  #idAt(number: number): string | undefined {
    try {
      const [line] = this.#outbox.read(number, 0);
      return line === undefined ? undefined : idOf(line);
    } catch {
      // Lines that cannot be read back are reported when they are to be sent.
      return undefined;
    }
  }
}
