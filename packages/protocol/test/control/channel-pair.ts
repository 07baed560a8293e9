import { type Channel, WireLine } from '@signalbox/protocol';

/** One end of two channels that lead to each other in memory. */
export class TestChannel implements Channel {
  readonly #source: LineSource;
  readonly #target: LineSource;
  /** What `send` waits for; a test sets it to hold lines back, or to refuse them. */
  room: Promise<void> = Promise.resolve();

  constructor(source: LineSource, target: LineSource) {
    this.#source = source;
    this.#target = target;
  }

  async send(line: string | Uint8Array): Promise<void> {
    await this.room;
    this.#target.push(WireLine.of(line));
  }

  receive(): AsyncGenerator<WireLine> {
    return this.#source.read();
  }

  /** The other end reads what was sent, then the end. */
  end(): void {
    this.#target.end(() => {});
  }

  /** The other end reads what was sent, then fails. */
  fail(error: unknown): void {
    this.#target.end(() => {
      throw error;
    });
  }
}

export function createChannelPair(): [TestChannel, TestChannel] {
  const left = new LineSource();
  const right = new LineSource();
  return [new TestChannel(left, right), new TestChannel(right, left)];
}

class LineSource {
  readonly #lines: WireLine[] = [];
  #finish: (() => void) | undefined;
  #wake: () => void = () => {};

  push(line: WireLine): void {
    this.#lines.push(line);
    this.#wake();
  }

  end(finish: () => void): void {
    this.#finish = finish;
    this.#wake();
  }

  async *read(): AsyncGenerator<WireLine> {
    for (;;) {
      const line = this.#lines.shift();
      if (line) yield line;
      else if (this.#finish) return this.#finish();
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
