import { LIMITS, SignalboxError } from '@signalbox/protocol';
import { turns } from '../../base/turns.ts';

const MAX_FRAME_LINES = LIMITS.frameLines.most;

/** How many frames may wait before the connection is read no further. */
export const MAX_WAITING_FRAMES = 100;

const NEWLINE = 0x0a;

/** A viewer says more at once than is listened to. */
export class TooManyLinesError extends SignalboxError {
  constructor() {
    super('TOO_MANY_LINES', `A frame holds up to ${MAX_FRAME_LINES} lines. Send the rest in another one.`);
  }
}

/** What a {@link StreamFrames} works with. */
export interface StreamFramesCallbacks {
  onLine: (line: string) => void;
  /** Nothing more is heard of this viewer. */
  onRefused: (error: TooManyLinesError) => void;
  /** Settles when the viewer has taken most of its answers, or is gone. */
  drained: () => Promise<void>;
  /** Read the connection, or leave it alone for now. */
  pause: () => void;
  resume: () => void;
}

/**
 * The lines of a viewer's frames, in their order: no more in one turn of the event loop than others can wait for, and no
 * more than the viewer takes answers to.
 */
export class StreamFrames {
  readonly #callbacks: StreamFramesCallbacks;
  #waiting: Buffer[] = [];
  #state: 'idle' | 'reading' | 'ended' = 'idle';

  constructor(callbacks: StreamFramesCallbacks) {
    this.#callbacks = callbacks;
  }

  push(frame: Buffer): void {
    if (this.#state === 'ended') return;
    if (this.#waiting.push(frame) >= MAX_WAITING_FRAMES) this.#callbacks.pause();
    if (this.#state === 'idle') void this.#read();
  }

  /** Whatever was said and not heard yet never will be. */
  end(): void {
    this.#state = 'ended';
    this.#waiting = [];
  }

  async #read(): Promise<void> {
    this.#state = 'reading';
    for (let frame = this.#waiting.shift(); frame; frame = this.#waiting.shift()) {
      if (countLines(frame) > MAX_FRAME_LINES) return this.#refuse();
      await this.#hear(frame);
      await this.#callbacks.drained();
      this.#callbacks.resume();
    }
    if (this.#state === 'reading') this.#state = 'idle';
  }

  /** One that holds no line is heard as well: its viewer waits for an answer. */
  async #hear(frame: Buffer): Promise<void> {
    const lines = frame
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
    for (const line of lines.length > 0 ? lines : ['']) {
      if (turns.isOver) await turns.rest();
      if (this.#state === 'ended') return;
      this.#callbacks.onLine(line);
    }
  }

  #refuse(): void {
    this.end();
    this.#callbacks.onRefused(new TooManyLinesError());
  }
}

/** Counts no further than it has to. */
function countLines(frame: Buffer): number {
  let count = 1;
  for (let at = frame.indexOf(NEWLINE); at !== -1; at = frame.indexOf(NEWLINE, at + 1)) {
    count += 1;
    if (count > MAX_FRAME_LINES + 1) break;
  }
  // The end of the last line begins no other.
  return frame.at(-1) === NEWLINE ? count - 1 : count;
}
