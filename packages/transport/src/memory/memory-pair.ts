import { WireLine } from '@signalbox/protocol';
import { Gate, refused } from '../gate.ts';
import { LineQueue } from '../line-queue.ts';
import { flawOf, type OutgoingLine } from '../outgoing-line.ts';
import { StateBox } from '../state-box.ts';
import type { Transport, TransportState } from '../transport.ts';
import { TransportClosedError } from '../transport-errors.ts';

/** How lines move between the two ends of a pair. */
export interface MemoryPairOptions {
  /** `auto` delivers at once; `manual` on `flush()` and on close, so that a test decides what arrives when. */
  delivery?: 'auto' | 'manual';
  /** Bytes that may wait at one end before the other end's `send` waits too. */
  highWaterBytes?: number;
}

/** Two transports that are each other's other side, inside of one process. */
export interface MemoryPair {
  left: Transport;
  right: Transport;
  /** Deliver what was sent, or only the first `count` lines of each direction. */
  flush: (count?: number) => void;
}

/** Connect two ends in memory. */
export function createMemoryPair(options: MemoryPairOptions = {}): MemoryPair {
  const toRight = new Pipe(options);
  const toLeft = new Pipe(options);
  const closeBoth = (): void => {
    left.end();
    right.end();
  };
  const left = new MemoryTransport(toRight, toLeft, closeBoth);
  const right = new MemoryTransport(toLeft, toRight, closeBoth);
  return {
    left,
    right,
    flush: (count = Number.POSITIVE_INFINITY) => {
      toRight.deliver(count);
      toLeft.deliver(count);
    },
  };
}

/** One direction of a pair. */
class Pipe {
  readonly arrived: LineQueue;
  readonly #isManual: boolean;
  readonly #gate = new Gate();
  #sent: WireLine[] = [];

  constructor({ delivery = 'auto', highWaterBytes }: MemoryPairOptions) {
    this.#isManual = delivery === 'manual';
    this.arrived = new LineQueue({
      onRoom: () => this.#gate.open(),
      ...(highWaterBytes === undefined ? {} : { highWaterBytes }),
    });
  }

  send(line: WireLine): Promise<void> {
    this.#sent.push(line);
    if (!this.#isManual) this.deliver(Number.POSITIVE_INFINITY);
    return this.#gate.passage();
  }

  deliver(count: number): void {
    for (const line of this.#sent.splice(0, count)) if (!this.arrived.push(line)) this.#gate.shut();
  }

  end(): void {
    this.deliver(Number.POSITIVE_INFINITY);
    this.arrived.end();
    this.#gate.open();
  }
}

class MemoryTransport implements Transport {
  readonly #out: Pipe;
  readonly #in: Pipe;
  readonly #closeBoth: () => void;
  readonly #state = new StateBox('connected');

  constructor(out: Pipe, into: Pipe, closeBoth: () => void) {
    this.#out = out;
    this.#in = into;
    this.#closeBoth = closeBoth;
  }

  get state(): TransportState {
    return this.#state.current;
  }

  send(line: OutgoingLine): Promise<void> {
    const problem = this.#state.isOpen ? flawOf(line) : new TransportClosedError();
    return problem ? refused(problem) : this.#out.send(WireLine.of(line));
  }

  receive(): AsyncIterableIterator<WireLine> {
    return this.#in.arrived.claim();
  }

  onStateChange(listener: (state: TransportState) => void): () => void {
    return this.#state.watch(listener);
  }

  async close(): Promise<void> {
    this.#closeBoth();
  }

  end(): void {
    this.#state.set('closing');
    this.#out.end();
    this.#state.set('closed');
  }
}
