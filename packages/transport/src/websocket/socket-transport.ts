import type { Socket } from 'node:net';
import { LIMITS, type WireLine } from '@signalbox/protocol';
import type { WebSocket } from 'ws';
import { refused } from '../gate.ts';
import type { LinkFrame, LinkPosition } from '../link/link-frame.ts';
import type { OutboxOptions } from '../link/outbox.ts';
import { flawOf, type OutgoingLine } from '../outgoing-line.ts';
import type { ReadingBudget } from '../reading-budget.ts';
import { settledWithin } from '../settled-within.ts';
import { StateBox } from '../state-box.ts';
import type { Transport, TransportState } from '../transport.ts';
import { TransportClosedError, TransportFailedError, UndeliveredError } from '../transport-errors.ts';
import { CLOSE_CODE, LineSocket } from './line-socket.ts';
import { Receiver, type ReceiverOptions } from './receiver.ts';
import { Sender } from './sender.ts';

/** How often a connection is pinged; one that stays silent until the next ping is dead. */
export const PING_INTERVAL_MS = 10_000;

/** How long `close()` tries to deliver what was taken, and then waits for the peer's goodbye. */
export const CLOSE_TIMEOUT_MS = 5000;

/** Settings that both ends of a WebSocket share. */
export interface SocketTransportOptions extends ReceiverOptions {
  /** Offer the lossless link, or agree to it; with a peer that does not, plain lines are spoken. */
  lossless?: boolean;
  outbox?: OutboxOptions;
  maxLineBytes?: number;
  pingIntervalMs?: number;
  closeTimeoutMs?: number;
  /** What long messages share with those of other connections; without it they are read as they come. */
  readings?: ReadingBudget;
}

/** What is known of a connection when it opens. */
export interface Agreement {
  link: 'plain' | 'lossless';
  /** On a plain link, the id of the last message that the other side says it received. */
  lastReceivedId?: string | undefined;
  /** What the WebSocket runs over. */
  stream: Socket;
}

/**
 * Lines over a WebSocket, and over the next one when that breaks. What was taken but may not have arrived is
 * kept and sent again, as far as the link that was agreed on can tell what is missing.
 */
export abstract class SocketTransport implements Transport {
  protected readonly states = new StateBox('idle');
  protected readonly sender: Sender;
  protected readonly receiver: Receiver;
  readonly #options: SocketTransportOptions;
  #socket: LineSocket | undefined;
  #link: Agreement['link'] = 'plain';
  #closing: Promise<void> | undefined;
  /** What could be delivered is: from now on the connection is only waited for to end. */
  #isLeaving = false;

  constructor(options: SocketTransportOptions) {
    this.#options = options;
    this.sender = new Sender(options.outbox, (error) => this.end(error));
    this.receiver = new Receiver(options, {
      onRoom: () => this.#socket?.resume(),
      onDealtWith: () => this.#socket?.noteDealtWith(),
      say: (frame) => this.#say(frame),
    });
  }

  get state(): TransportState {
    return this.states.current;
  }

  /** What was agreed on with the peer. */
  get link(): Agreement['link'] {
    return this.#link;
  }

  /** On a lossless link: the number of the last line that `receive()` handed over. */
  get position(): LinkPosition | null {
    return this.receiver.position;
  }

  send(line: OutgoingLine): Promise<void> {
    const problem = this.states.isOpen ? flawOf(line) : new TransportClosedError();
    return problem ? refused(problem) : this.sender.send(line);
  }

  receive(): AsyncIterableIterator<WireLine> {
    return this.receiver.receive();
  }

  /** The next line, if one has arrived, for whoever reads `receive()`: a promise for each of a flood costs most of it. */
  take(): WireLine | undefined {
    return this.receiver.take();
  }

  /** With `acknowledge: 'manual'`: the lines up to this position are safe here. */
  acknowledge(position: LinkPosition): void {
    this.receiver.acknowledge(position);
  }

  /** Whether somebody is at the other end who answers within this time. */
  answers(patienceMs: number): Promise<boolean> {
    return this.#socket?.answers(patienceMs) ?? Promise.resolve(false);
  }

  onStateChange(listener: (state: TransportState) => void): () => void {
    return this.states.watch(listener);
  }

  /** Rejects with `LINES_UNDELIVERED` when the peer could not be given all that was taken. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** The connection is gone: wait for another one, or `end()`. */
  protected abstract dropped(code: number, reason: string): void;

  /** Go on over a new connection; an older one is let go. */
  protected attachSocket(webSocket: WebSocket, agreement: Agreement): void {
    const { link, lastReceivedId, stream } = agreement;
    const { maxLineBytes = LIMITS.lineBytes.most, pingIntervalMs = PING_INTERVAL_MS } = this.#options;
    const closeTimeoutMs = this.#closeTimeoutMs;
    const isCurrent = (): boolean => this.#socket === socket;
    const socket: LineSocket = new LineSocket(
      webSocket,
      {
        onLine: (line) => !isCurrent() || this.#arrived(line),
        isWanted: isCurrent,
        onLinkFrame: (frame) => isCurrent() && this.#linkFrame(frame, socket),
        onViolation: (error) => isCurrent() && this.end(brokenProtocol(error)),
        onGone: (code, reason) => isCurrent() && this.#gone(code, reason),
      },
      { link, stream, maxLineBytes, pingIntervalMs, closeTimeoutMs, readings: this.#options.readings },
    );
    if (this.state === 'closed') return socket.close(CLOSE_CODE.normal);
    const previous = this.#socket;
    this.#socket = socket;
    this.#link = link;
    this.sender.stop();
    previous?.close(CLOSE_CODE.replaced, 'replaced by a newer connection');
    if (link === 'plain') this.sender.startPlain(socket, lastReceivedId);
    else this.receiver.greet(this.sender.epoch);
    if (this.state === 'closing') this.#say({ link: 'bye' });
    this.states.set('connected');
  }

  /** Let go of everything. `error` is what the consumer gets after the lines that arrived. */
  protected end(error?: Error): void {
    this.closeConnection(error ? CLOSE_CODE.failed : CLOSE_CODE.normal);
    this.#socket = undefined;
    this.receiver.end(error);
    this.sender.close(error ?? new TransportClosedError());
    this.states.set('closed');
  }

  /** Close the connection there is; it keeps the first code that it is closed with. */
  protected closeConnection(code: number): void {
    this.receiver.flushAck();
    this.#socket?.close(code);
  }

  /** Write to the connection beside the kept lines; lost when there is none. */
  protected sendUnkept(line: string): void {
    this.#socket?.sendLines([line]);
  }

  /** True when a drop ends the transport: one of the two sides has said goodbye. */
  protected isFarewell(code: number): boolean {
    return this.#isLeaving || code === CLOSE_CODE.normal;
  }

  async #shutDown(): Promise<void> {
    if (this.state === 'closed') return;
    const wasIdle = this.state === 'idle';
    this.states.set('closing');
    this.receiver.answerForUnread();
    this.#say({ link: 'bye' });
    if (!wasIdle) await settledWithin(this.sender.drained(), this.#closeTimeoutMs);
    const { undelivered } = this.sender;
    const socket = this.#socket;
    this.#isLeaving = true;
    // A goodbye says that all was delivered.
    this.closeConnection(undelivered > 0 ? CLOSE_CODE.failed : CLOSE_CODE.normal);
    await socket?.gone;
    if (socket) await settledWithin(socket.finished(), this.#closeTimeoutMs);
    this.end();
    if (undelivered > 0) throw new UndeliveredError(undelivered);
  }

  get #closeTimeoutMs(): number {
    return this.#options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS;
  }

  #gone(code: number, reason: string): void {
    this.#socket = undefined;
    this.sender.stop();
    this.dropped(code, reason);
  }

  #arrived(line: WireLine): boolean {
    return this.#link === 'plain' ? this.receiver.plainLine(line) : this.receiver.numberedLine(line);
  }

  #say(frame: LinkFrame): void {
    if (this.#link === 'lossless') this.#socket?.sendLinkFrame(frame);
  }

  #linkFrame(frame: LinkFrame, socket: LineSocket): void {
    switch (frame.link) {
      case 'hello': {
        this.receiver.peerIs(frame.epoch);
        const received = frame.received?.epoch === this.sender.epoch ? frame.received.count : 0;
        // The number goes first: the lines leave in a later turn of the event loop.
        return this.#say({ link: 'start', number: this.sender.startLossless(socket, received) });
      }
      case 'start':
        return this.receiver.startsAt(frame.number);
      case 'ack':
        return this.sender.acknowledged(frame.count);
      case 'hold':
        return this.sender.hold();
      case 'go':
        return this.sender.go();
      case 'bye':
        return this.receiver.peerLeaves();
    }
  }
}

function brokenProtocol(cause: Error): TransportFailedError {
  return new TransportFailedError(`The other side broke the protocol: ${cause.message}`, cause);
}
