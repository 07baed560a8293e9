import { FLOOD_BYTES, TICK_MS } from './flood-watch.ts';

/** No more than this is read in a tick while it gives way: more than what makes a flood, so that those who look still get a few screens of it. */
export const GIVING_WAY_BYTES = 1.5 * FLOOD_BYTES;

/** With fewer processors free than this, printing takes what somebody else could use. */
export const CONTENDED_BELOW = 0.1;

/** Printing as fast as it can takes about as many: the shell, and drawing. */
export const CALM_FROM = 0.8;

/** Printing goes on at full speed once this many ticks in a row found that many free. */
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
  /** How many processors had nothing to do; undefined where that is not known. */
  free: number | undefined;
}

/** How fast to read next. Only a flood gives way, and only while the machine is contended; that is known of a whole tick of it. */
export function nextPace(pace: Pace, { isFlood, free = Infinity }: PaceTick): Pace {
  if (!isFlood) return { state: 'quiet' };
  if (pace.state === 'quiet') return { state: 'flood' };
  if (pace.state === 'flood') return free < CONTENDED_BELOW ? { state: 'giving way', calmTicks: 0 } : pace;
  const calmTicks = free < CALM_FROM ? 0 : pace.calmTicks + 1;
  return calmTicks < CALM_TICKS ? { state: 'giving way', calmTicks } : { state: 'flood' };
}

/** What an {@link OutputPace} works with. */
export interface OutputPaceOptions {
  /** Read no more: the program waits once the system holds enough of its output. */
  stop: () => void;
  go: () => void;
  /** How many processors had nothing to do since it was last asked. */
  free: () => number | undefined;
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
    const free = this.#options.free();
    this.#pace = nextPace(this.#pace, { isFlood, free });
    this.#tickAt = performance.now();
    this.#bytes = 0;
  }
}
