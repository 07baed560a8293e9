import type { TerminalExit, TerminalMessage, TerminalPosition, TerminalSize } from '@signalbox/protocol/hub';
import type { ByteRing } from './byte-ring.ts';
import { FLOOD_BYTES, type FloodWatch, TICK_MS } from './flood-watch.ts';
import type { Screen, ScreenSnapshot } from './screen.ts';

/** How much a viewer is sent before it has said that it drew some: what is on its way, wherever it waits. */
export const WINDOW_BYTES = 512 * 1024;

const CHUNK_BYTES = 64 * 1024;

/** A viewer that wants scrollback is sent the screen instead of more bytes than this. */
const BEHIND_BYTES = 1024 * 1024;

/** What viewers of one terminal are served from. */
export interface TerminalSource {
  readonly epoch: string;
  readonly output: ByteRing;
  readonly screen: Screen;
  readonly floods: FloodWatch;
  readonly size: TerminalSize;
  /** How often its size has changed, and where the output stood when it last did. */
  readonly resizes: number;
  readonly resizedAt: number;
}

/** What a {@link ViewerFeed} sends with. */
export interface ViewerLink {
  readonly mayType: boolean;
  say(message: TerminalMessage): void;
  pass(bytes: Uint8Array): void;
}

/**
 * Shows a terminal to one viewer, at the pace at which it draws. A viewer that is too far behind gets the current screen instead
 * of the bytes that it has missed: a slow viewer costs no memory and does not hold up the shell. Of a flood, viewers that want
 * scrollback get a few screens, and all their scrollback when it is over: they would keep nothing else of it.
 */
export class ViewerFeed {
  readonly #source: TerminalSource;
  readonly #link: ViewerLink;
  readonly #scrollback: number;
  #state: 'drawing' | 'live' | 'ended' = 'live';
  #sent = 0;
  #drawn = 0;
  /** Where the output stood at the last screen of a flood. */
  #screenAt = 0;
  /** What was sent since the tick began. */
  #sentInTick = 0;
  #tickAt = 0;
  #resizes = 0;
  #exit: TerminalExit | undefined;

  constructor(
    source: TerminalSource,
    link: ViewerLink,
    { at, scrollback }: { at?: TerminalPosition | undefined; scrollback: number },
  ) {
    this.#source = source;
    this.#link = link;
    this.#scrollback = scrollback;
    if (at && this.#canResume(at)) this.#resume(at);
    else this.#sendScreen();
  }

  /** Whether it has been told all there is. */
  get isDone(): boolean {
    return this.#state === 'ended';
  }

  /** Send what there is room for. */
  more(): void {
    const { output, resizes } = this.#source;
    // Nothing more, not even a screen, for one that draws nothing.
    if (this.#state !== 'live' || this.#room <= 0) return;
    if (this.#sent < output.start || this.#resizes !== resizes) return this.#sendScreen();
    while (this.#sent < output.end) {
      if (this.#room <= 0) return;
      if (this.#isTooMuch()) return void this.#skipFlood();
      const bytes = output.read(this.#sent, Math.min(this.#room, CHUNK_BYTES));
      this.#sent += bytes.length;
      this.#sentInTick += bytes.length;
      this.#link.pass(bytes);
    }
    if (this.#exit === undefined) return;
    this.#state = 'ended';
    this.#link.say({ type: 'exit', exit: this.#exit });
  }

  /** The viewer has drawn everything before `offset`. */
  drew(offset: number): void {
    this.#drawn = Math.max(this.#drawn, Math.min(offset, this.#sent));
    this.more();
  }

  /** The terminal has another size from here on. */
  resized(): void {
    const { output, size, resizes } = this.#source;
    const isUpToDate = this.#state === 'live' && this.#sent === output.end && this.#resizes === resizes - 1;
    if (!isUpToDate) return;
    this.#resizes = resizes;
    this.#link.say({ type: 'resize', ...size });
  }

  rang(): void {
    this.#link.say({ type: 'bell' });
  }

  /** Told once it has all that was written before. */
  exited(exit: TerminalExit): void {
    this.#exit = exit;
    this.more();
  }

  /** The viewer is gone. */
  end(): void {
    this.#state = 'ended';
  }

  get #room(): number {
    return WINDOW_BYTES - (this.#sent - this.#drawn);
  }

  #canResume({ epoch, offset }: TerminalPosition): boolean {
    const { output, resizedAt, floods } = this.#source;
    const isThere = offset >= Math.max(output.start, resizedAt) && offset <= output.end;
    const lacksScrollback = this.#scrollback > 0 && floods.hasShown(offset);
    return epoch === this.#source.epoch && isThere && !lacksScrollback;
  }

  #resume({ offset }: TerminalPosition): void {
    const { epoch, size, resizes } = this.#source;
    this.#sent = offset;
    this.#drawn = offset;
    this.#resizes = resizes;
    this.#link.say({ type: 'resumed', epoch, offset, ...size, mayType: this.#link.mayType });
    this.more();
  }

  #isTooMuch(): boolean {
    if (performance.now() - this.#tickAt > TICK_MS) {
      this.#tickAt = performance.now();
      this.#sentInTick = 0;
    }
    const behind = this.#source.output.end - this.#sent;
    return this.#scrollback > 0 && (this.#sentInTick >= FLOOD_BYTES || behind > BEHIND_BYTES);
  }

  async #skipFlood(): Promise<void> {
    this.#state = 'drawing';
    for (;;) {
      const { isFlood, screen } = await this.#source.floods.next();
      if (this.#state !== 'drawing') return;
      if (!isFlood) break;
      // A viewer that has not drawn the last one gets no further one.
      if (this.#room <= 0 || this.#drawn < this.#screenAt) continue;
      this.#show(screen, screen.offset - 1);
      this.#screenAt = screen.offset;
    }
    this.#sendScreen();
  }

  #sendScreen(): void {
    this.#state = 'drawing';
    void this.#source.screen.snapshot(this.#scrollback).then((screen) => {
      if (this.#state !== 'drawing') return;
      this.#show(screen, screen.offset);
      this.#state = 'live';
      this.more();
    });
  }

  #show({ offset, cols, rows, data, resizes }: ScreenSnapshot, drawn: number): void {
    const { epoch } = this.#source;
    const { mayType } = this.#link;
    this.#sent = offset;
    this.#drawn = drawn;
    this.#resizes = resizes;
    this.#link.say({ type: 'screen', epoch, offset, cols, rows, data, mayType });
  }
}
