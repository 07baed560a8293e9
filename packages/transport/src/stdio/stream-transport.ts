import { finished, type Readable, type Writable } from 'node:stream';
import { LIMITS, LineDecoder, messageOf, type WireLine } from '@signalbox/protocol';
import { Gate, refused } from '../gate.ts';
import { LineQueue } from '../line-queue.ts';
import { flawOf, joinLines, type OutgoingLine, weigh } from '../outgoing-line.ts';
import { StateBox } from '../state-box.ts';
import type { Transport, TransportState } from '../transport.ts';
import { TransportClosedError, TransportFailedError } from '../transport-errors.ts';

/** How many bytes may be on their way out before `send` waits. */
export const SEND_HIGH_WATER_BYTES = 256 * 1024;

/** How a {@link StreamTransport} treats what it reads. */
export interface StreamTransportOptions {
  maxLineBytes?: number;
  /** Go on sending after the end of the input. */
  allowHalfOpen?: boolean;
}

/** Lines over a pair of Node streams: this process's stdin and stdout, or those of a child. */
export class StreamTransport implements Transport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #allowHalfOpen: boolean;
  readonly #state = new StateBox('connected');
  readonly #gate = new Gate();
  readonly #inbox: LineQueue;
  readonly #decoder: LineDecoder;
  #batch: OutgoingLine[] = [];
  #batchBytes = 0;
  #flushPlanned = false;
  #reading: 'with-backpressure' | 'without-backpressure' | 'ended' = 'with-backpressure';
  #outputEnded: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(input: Readable, output: Writable, options: StreamTransportOptions = {}) {
    const { allowHalfOpen = false, maxLineBytes = LIMITS.lineBytes.most } = options;
    this.#input = input;
    this.#output = output;
    this.#allowHalfOpen = allowHalfOpen;
    this.#inbox = new LineQueue({ onRoom: () => input.resume() });
    this.#decoder = new LineDecoder({ onLine: (line) => this.#arrived(line), maxLineBytes });
    input.on('data', (chunk: Buffer) => this.#read(chunk));
    input.once('end', () => {
      this.#decoder.end();
      this.#inputDone();
    });
    input.once('close', () => this.#inputDone());
    input.once('error', (error) => this.#fail('Reading failed', error));
    output.on('drain', () => this.#openIfDrained());
    // An EPIPE: the reader is gone. What it said before may still be read.
    output.on('error', (error) => this.#outputFailed(error));
  }

  get state(): TransportState {
    return this.#state.current;
  }

  send(line: OutgoingLine): Promise<void> {
    const canSend = this.#state.isOpen && !this.#outputEnded;
    const problem = canSend ? flawOf(line) : new TransportClosedError();
    if (problem) return refused(problem);
    this.#batch.push(line);
    this.#batchBytes += weigh(line);
    if (this.#batchBytes > SEND_HIGH_WATER_BYTES) this.#flush();
    else this.#planFlush();
    if (this.#bytesUnderWay > SEND_HIGH_WATER_BYTES) this.#gate.shut();
    return this.#gate.passage();
  }

  receive(): LineQueue {
    return this.#inbox.claim();
  }

  onStateChange(listener: (state: TransportState) => void): () => void {
    return this.#state.watch(listener);
  }

  /** Say that nothing more will be sent, and go on receiving: the other side sees the end of its input. */
  endInput(): Promise<void> {
    this.#outputEnded ??= new Promise((resolve) => {
      this.#flush();
      // The callback of `end()` is never called for a socket that is destroyed.
      finished(this.#output, { readable: false }, (error) => {
        if (!error) this.#gate.open();
        this.#closeIfOver();
        resolve();
      });
      this.#output.end();
    });
    return this.#outputEnded;
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** What `close()` waits for before it lets go of the streams. */
  protected delivered(): Promise<void> {
    return this.endInput();
  }

  /** The other side is gone: take what it left in the pipe, even if the consumer is behind. */
  protected readWithoutBackpressure(): void {
    if (this.#reading === 'with-backpressure') this.#reading = 'without-backpressure';
    this.#input.resume();
  }

  async #shutDown(): Promise<void> {
    this.#state.set('closing');
    await this.delivered();
    this.#inputDone();
    this.#letGo(new TransportClosedError());
    this.#input.destroy();
    this.#output.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      this.#fail('The other side broke the protocol', error);
    }
  }

  #arrived(line: WireLine): void {
    if (!this.#inbox.push(line) && this.#reading === 'with-backpressure') this.#input.pause();
  }

  #inputDone(): void {
    if (this.#reading === 'ended') return;
    this.#reading = 'ended';
    this.#inbox.end();
    if (!this.#allowHalfOpen) void this.endInput();
    this.#closeIfOver();
  }

  #outputFailed(cause: Error): void {
    this.#batch = [];
    this.#batchBytes = 0;
    this.#outputEnded ??= Promise.resolve();
    this.#gate.refuse(new TransportClosedError(`Writing failed: ${cause.message}`, cause));
    this.#closeIfOver();
  }

  #fail(what: string, cause: unknown): void {
    const error = new TransportFailedError(`${what}: ${messageOf(cause)}`, cause);
    this.#reading = 'ended';
    this.#inbox.end(error);
    this.#letGo(error);
    this.#input.destroy();
    this.#output.destroy();
  }

  #closeIfOver(): void {
    if (this.#reading === 'ended' && this.#outputEnded) this.#letGo(new TransportClosedError());
  }

  #letGo(error: TransportClosedError | TransportFailedError): void {
    this.#state.set('closed');
    this.#gate.refuse(error);
  }

  /** Lines sent in one turn of the event loop leave in one write: system calls are what a line costs. */
  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    this.#flushPlanned = false;
    if (this.#batch.length === 0) return;
    const lines = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#output.write(joinLines(lines));
    this.#openIfDrained();
  }

  get #bytesUnderWay(): number {
    return this.#batchBytes + this.#output.writableLength;
  }

  #openIfDrained(): void {
    if (this.#bytesUnderWay <= SEND_HIGH_WATER_BYTES / 2) this.#gate.open();
  }
}
