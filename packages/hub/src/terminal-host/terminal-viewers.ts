import { LIMITS, messageOf } from '@signalbox/protocol';
import type { TerminalExit, TerminalMessage, TerminalSize } from '@signalbox/protocol/hub';
import { encodeBytes, encodeMessage, type LinkFrame, OWN_CHANNEL, type TerminalOrder } from './link-frame.ts';
import { TerminalInputFullError } from './terminal-errors.ts';
import { type TerminalSource, ViewerFeed } from './viewer-feed.ts';

/** A program may ring faster than anybody can hear. */
const BELL_PAUSE_MS = 1000;

/** What {@link TerminalViewers} do with a terminal. */
export interface TerminalControls {
  send: (frame: Buffer) => void;
  /** False when the program does not read. */
  type: (bytes: Uint8Array) => boolean;
  resize: (size: TerminalSize) => void;
  end: () => void;
}

interface Viewer {
  feed: ViewerFeed;
  mayType: boolean;
  size: TerminalSize | undefined;
}

/**
 * Those who look at a terminal, each on a channel of the connection to the hub. The terminal has the size of the one who typed
 * last, or else of the one who came first of those that may type: whoever works in it sees all of it.
 */
export class TerminalViewers {
  readonly #source: TerminalSource;
  readonly #controls: TerminalControls;
  readonly #viewers = new Map<number, Viewer>();
  #typist: Viewer | undefined;
  #rangAt = Number.NEGATIVE_INFINITY;
  #exit: TerminalExit | undefined;
  #onDone: (() => void) | undefined;

  constructor(source: TerminalSource, controls: TerminalControls) {
    this.#source = source;
    this.#controls = controls;
  }

  hear({ kind, channel, payload }: LinkFrame): void {
    if (kind === 'bytes') return this.#typed(channel, payload);
    try {
      // The hub has checked what its viewers say.
      const order: TerminalOrder = JSON.parse(payload.toString());
      if (channel !== OWN_CHANNEL) this.#obey(channel, order);
      else if (order.type === 'end') this.#controls.end();
    } catch (error) {
      this.#complain(channel, 'REQUEST_INVALID', messageOf(error));
    }
  }

  more(): void {
    for (const { feed } of this.#viewers.values()) feed.more();
  }

  resized(): void {
    for (const { feed } of this.#viewers.values()) feed.resized();
  }

  rang(): void {
    if (performance.now() - this.#rangAt < BELL_PAUSE_MS) return;
    this.#rangAt = performance.now();
    for (const { feed } of this.#viewers.values()) feed.rang();
  }

  /** The connection is gone: they all come again. */
  lost(): void {
    for (const { feed } of this.#viewers.values()) feed.end();
    this.#viewers.clear();
    this.#typist = undefined;
    this.#lookWhetherDone();
  }

  /** Settles when everybody has all that was written, and knows of the end. */
  told(exit: TerminalExit): Promise<void> {
    return new Promise((resolve) => {
      this.#exit = exit;
      this.#onDone = resolve;
      for (const { feed } of this.#viewers.values()) feed.exited(exit);
      this.#lookWhetherDone();
    });
  }

  #obey(channel: number, order: TerminalOrder): void {
    const viewer = this.#viewers.get(channel);
    switch (order.type) {
      case 'open':
        return this.#open(channel, order);
      case 'close':
        return this.#close(channel);
      case 'resize':
        if (viewer) this.#hasRoomFor(viewer, order);
        return;
      case 'ack':
        return viewer?.feed.drew(order.offset);
      default:
    }
  }

  #open(
    channel: number,
    { mayType, at, scrollback = 0, size }: Extract<TerminalOrder, { type: 'open' }>,
  ): void {
    const { send } = this.#controls;
    const link = {
      mayType,
      say: (message: TerminalMessage) => {
        send(encodeMessage(channel, message));
        if (message.type === 'exit') this.#lookWhetherDone();
      },
      pass: (bytes: Uint8Array) => send(encodeBytes(channel, bytes)),
    };
    // Before its screen is drawn, so that it need not be drawn twice.
    if (mayType && size && !this.#typist) this.#controls.resize(size);
    const lines = Math.min(scrollback, LIMITS.terminalScrollback.most);
    const feed = new ViewerFeed(this.#source, link, { at, scrollback: lines });
    const viewer: Viewer = { feed, mayType, size };
    this.#viewers.set(channel, viewer);
    if (mayType) this.#typist ??= viewer;
    if (this.#exit) feed.exited(this.#exit);
  }

  #close(channel: number): void {
    const viewer = this.#viewers.get(channel);
    viewer?.feed.end();
    this.#viewers.delete(channel);
    this.#lookWhetherDone();
    if (viewer === undefined || viewer !== this.#typist) return;
    const next = [...this.#viewers.values()].find(({ mayType, size }) => mayType && size);
    this.#typist = next;
    if (next?.size) this.#controls.resize(next.size);
  }

  #hasRoomFor(viewer: Viewer, { cols, rows }: TerminalSize): void {
    if (!viewer.mayType) return;
    viewer.size = { cols, rows };
    if (viewer === this.#typist) this.#controls.resize(viewer.size);
  }

  #typed(channel: number, bytes: Buffer): void {
    const viewer = this.#viewers.get(channel);
    if (!viewer?.mayType) return;
    if (viewer !== this.#typist) {
      this.#typist = viewer;
      if (viewer.size) this.#controls.resize(viewer.size);
    }
    if (this.#controls.type(bytes)) return;
    const { code, message } = new TerminalInputFullError();
    this.#complain(channel, code, message);
  }

  #complain(channel: number, code: string, message: string): void {
    this.#controls.send(encodeMessage(channel, { type: 'error', code, message }));
  }

  #lookWhetherDone(): void {
    if ([...this.#viewers.values()].every(({ feed }) => feed.isDone)) this.#onDone?.();
  }
}
