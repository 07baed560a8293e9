import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '@signalbox/protocol';
import type { ByteRing } from './byte-ring.ts';
import type { Screen, ScreenSnapshot } from './screen.ts';

/** Screens that follow each other faster than this nobody can read. */
export const TICK_MS = 200;

/** More output than this in a tick is a flood: some 16,000 lines a second. */
export const FLOOD_BYTES = 256 * 1024;

/** Screens of a flood are this many at most within the output that is kept. */
const MOST_OFFSETS = LIMITS.terminalLogBytes.most / FLOOD_BYTES;

/** A look at the terminal at the end of a tick. */
export interface FloodLook {
  isFlood: boolean;
  /** Without scrollback. */
  screen: ScreenSnapshot;
}

/** Looks from time to time whether a flood goes on; once for all viewers that wait for its end. */
export class FloodWatch {
  readonly #output: ByteRing;
  readonly #screen: Screen;
  #next: Promise<FloodLook> | undefined;
  #offsets: number[] = [];

  constructor(output: ByteRing, screen: Screen) {
    this.#output = output;
    this.#screen = screen;
  }

  /** Settles at the end of a tick. */
  next(): Promise<FloodLook> {
    this.#next ??= this.#look();
    return this.#next;
  }

  /** Whether a viewer with all output up to here may have nothing but a screen without scrollback. */
  hasShown(offset: number): boolean {
    return this.#offsets.includes(offset);
  }

  async #look(): Promise<FloodLook> {
    const before = this.#output.end;
    await pause(TICK_MS);
    const isFlood = this.#output.end - before > FLOOD_BYTES;
    const screen = await this.#screen.snapshot(0);
    this.#next = undefined;
    if (isFlood) this.#offsets = [...this.#offsets, screen.offset].slice(-MOST_OFFSETS);
    return { isFlood, screen };
  }
}
