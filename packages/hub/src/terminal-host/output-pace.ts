import { FLOOD_BYTES, TICK_MS } from './flood-watch.ts';

/** No more than this is read in a tick while it gives way: twice what makes a flood, so that those who look still get a few screens of it. */
export const GIVING_WAY_BYTES = 2 * FLOOD_BYTES;

/** The machine has work for more processors than it has when we wait for more than this share of what we need. */
export const CONTENDED_SHARE = 0.25;

/** Printing goes on at full speed once this many ticks in a row found processors free. */
export const CALM_TICKS = 5;

/** How fast a terminal is read. */
export type Pace =
  /** It prints less than would be slowed, or has only begun to print more. */
  | { state: 'quiet' }
  /** It prints more, and is read as fast as it prints. */
  | { state: 'flood' }
  /** It is read up to a limit in each tick: everything else on the machine comes first. */
  | { state: 'giving way'; calmTicks: number };

/** What was seen in a tick. */
export interface PaceTick {
  /** It printed more than {@link GIVING_WAY_BYTES}, or was stopped there. */
  isFlood: boolean;
  /** The share of the processor time that we needed for which we waited; undefined where that is not known. */
  waited: number | undefined;
}

/** How fast to read next. Only a flood gives way, and only while the machine is contended; that is known of a whole tick of it. */
export function nextPace(pace: Pace, { isFlood, waited = 0 }: PaceTick): Pace {
  if (!isFlood) return { state: 'quiet' };
  if (pace.state === 'quiet') return { state: 'flood' };
  if (waited > CONTENDED_SHARE) return { state: 'giving way', calmTicks: 0 };
  if (pace.state === 'flood' || pace.calmTicks + 1 >= CALM_TICKS) return { state: 'flood' };
  return { state: 'giving way', calmTicks: pace.calmTicks + 1 };
}

/** What an {@link OutputPace} works with. */
export interface OutputPaceOptions {
  /** Read no more: the program waits once the system holds enough of its output. */
  stop: () => void;
  go: () => void;
  /** The share of {@link PaceTick}, since it was last asked. */
  waited: () => number | undefined;
}

/**
 * Lets a program print at full speed only where that takes nothing from others: to draw, and to print itself, costs processors,
 * and a program prints no faster than its terminal is read.
 */
export class OutputPace {
  readonly #options: OutputPaceOptions;
  #pace: Pace = { state: 'quiet' };
  #tickAt = 0;
  #bytes = 0;
  #stopped: NodeJS.Timeout | undefined;

  constructor(options: OutputPaceOptions) {
    this.#options = options;
  }

  get state(): Pace['state'] {
    return this.#pace.state;
  }

  /** So much was read. */
  read(bytes: number): void {
    const elapsedMs = performance.now() - this.#tickAt;
    if (elapsedMs >= TICK_MS) this.#endTick(elapsedMs);
    this.#bytes += bytes;
    if (this.#pace.state !== 'giving way' || this.#bytes <= GIVING_WAY_BYTES || this.#stopped) return;
    this.#options.stop();
    this.#stopped = setTimeout(() => this.#go(), TICK_MS - elapsedMs);
  }

  /** Somebody typed, and looks for what comes of it. */
  typed(): void {
    if (this.#stopped) this.#go();
  }

  #go(): void {
    clearTimeout(this.#stopped);
    this.#stopped = undefined;
    this.#endTick(TICK_MS);
    this.#options.go();
  }

  #endTick(elapsedMs: number): void {
    const isFlood = (this.#bytes * TICK_MS) / elapsedMs > GIVING_WAY_BYTES;
    const waited = isFlood ? this.#options.waited() : undefined;
    this.#pace = nextPace(this.#pace, { isFlood, waited });
    this.#tickAt = performance.now();
    this.#bytes = 0;
  }
}
