/** What of long messages may be in memory, of all connections together; then only the first in line is read on. */
export const MAX_READING_BYTES = 32 * 1024 * 1024;

/** A message that is no longer than this is never waited for. */
const FREE_BYTES = 256 * 1024;

/** What a ping of a client has beside its data. */
const CONTROL_HEAD_BYTES = 6;

/** Others wait no longer than this for those that bring less than {@link PACE_BYTES} in it. */
const STALLED_MS = 30_000;

/** Who sends a byte now and then is no faster than who sends none. */
const PACE_BYTES = 64 * 1024;

/** So many times longer for one that has arrived and is not dealt with: a slow disk is not the fault of who sent it. */
const UNDEALT_PATIENCE = 10;

/** How a connection is told to wait, to go on, or to end. */
export interface ReadingOutlets {
  pause: () => void;
  resume: () => void;
  cut: () => void;
}

/** What a {@link ReadingBudget} is made of. */
export interface ReadingBudgetOptions {
  mostBytes?: number;
  stalledMs?: number;
  /** Long messages of so many bytes were dealt with. */
  onDealt?: (bytes: number) => void;
}

/** What a {@link Reading} tells its budget, and asks of it. */
interface BudgetOutlets {
  dealt: (bytes: number) => void;
  changed: (reading: Reading, before: number, now: number) => void;
  mayGoOn: (reading: Reading) => boolean;
}

/** Shares the memory for long messages among all who read some: whoever came first is always read on. */
export class ReadingBudget {
  readonly #most: number;
  readonly #stalledMs: number;
  readonly #onDealt: ((bytes: number) => void) | undefined;
  /** Those that hold something, in the order in which they began. */
  readonly #readings = new Set<Reading>();
  #bytes = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor({ mostBytes = MAX_READING_BYTES, stalledMs = STALLED_MS, onDealt }: ReadingBudgetOptions = {}) {
    this.#most = mostBytes;
    this.#stalledMs = stalledMs;
    this.#onDealt = onDealt;
  }

  begin(outlets: ReadingOutlets): Reading {
    return new Reading(outlets, {
      dealt: (bytes) => this.#onDealt?.(bytes),
      changed: (reading, before, now) => this.#changed(reading, before, now),
      mayGoOn: (reading) => this.#mayGoOn(reading),
    });
  }

  #mayGoOn(reading: Reading): boolean {
    const [first] = this.#readings;
    // What it has not dealt with, nobody else can make room for.
    const isNext = first === reading && !reading.isUndealt;
    const isFree = this.#bytes <= this.#most || isNext || !this.#readings.has(reading);
    if (!isFree) this.#watch ??= setInterval(() => this.#cutStalled(), this.#stalledMs).unref();
    return isFree;
  }

  #changed(reading: Reading, before: number, now: number): void {
    this.#bytes += now - before;
    if (now > 0) this.#readings.add(reading);
    else this.#readings.delete(reading);
    if (now >= before) return;
    for (const waiting of this.#readings) waiting.goOn();
    if ([...this.#readings].some(({ isWaiting }) => isWaiting)) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** All of them at once: whoever holds a hundred connections must not make others wait a hundred times. */
  #cutStalled(): void {
    for (const reading of this.#readings) {
      if (reading.isWaiting) continue;
      if (reading.countStalls() >= (reading.isUndealt ? UNDEALT_PATIENCE : 1)) reading.cut();
    }
  }
}

/** What one connection holds of the budget: what it has read of a message, and messages that nobody has dealt with. */
export class Reading {
  readonly #outlets: ReadingOutlets;
  readonly #budget: BudgetOutlets;
  #partial = 0;
  #whole = 0;
  #counted = 0;
  /** Bytes since the last look. */
  #moved = 0;
  #stalls = 0;
  #state: 'reading' | 'waiting' | 'ended' = 'reading';

  constructor(outlets: ReadingOutlets, budget: BudgetOutlets) {
    this.#outlets = outlets;
    this.#budget = budget;
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Whether messages of it wait to be dealt with. */
  get isUndealt(): boolean {
    return this.#whole > 0;
  }

  /** So much of a message has arrived. */
  add(bytes: number): void {
    this.#partial += bytes;
    this.#moved += bytes;
    if (this.#partial + this.#whole <= FREE_BYTES || this.#state === 'ended') return;
    this.#count();
    if (this.#state !== 'reading' || this.#budget.mayGoOn(this)) return;
    this.#state = 'waiting';
    this.#outlets.pause();
  }

  /** So much of what has arrived was a ping or a pong, which nobody keeps. */
  addControl(bytes: number): void {
    this.#partial -= bytes + CONTROL_HEAD_BYTES;
  }

  /** The message has arrived; it is held until somebody has dealt with it. */
  complete(): void {
    if (this.#partial > FREE_BYTES) this.#whole += this.#partial;
    this.#partial = 0;
    this.#count();
  }

  /** All that has arrived was dealt with. */
  release(): void {
    if (this.#whole === 0) return;
    this.#budget.dealt(this.#whole);
    this.#whole = 0;
    this.#moved = PACE_BYTES;
    this.#count();
    this.goOn();
  }

  /** The connection is gone. */
  end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    if (this.#whole > 0) this.#budget.dealt(this.#whole);
    this.#partial = 0;
    this.#whole = 0;
    this.#count();
  }

  goOn(): void {
    if (this.#state !== 'waiting' || !this.#budget.mayGoOn(this)) return;
    this.#state = 'reading';
    this.#moved = PACE_BYTES;
    this.#outlets.resume();
  }

  /** How often in a row this was asked with little progress in between. */
  countStalls(): number {
    this.#stalls = this.#moved >= PACE_BYTES ? 0 : this.#stalls + 1;
    this.#moved = 0;
    return this.#stalls;
  }

  cut(): void {
    this.#outlets.cut();
    this.end();
  }

  #count(): void {
    const held = this.#partial + this.#whole;
    const now = held > FREE_BYTES ? held : 0;
    const before = this.#counted;
    this.#counted = now;
    if (now !== before) this.#budget.changed(this, before, now);
  }
}
