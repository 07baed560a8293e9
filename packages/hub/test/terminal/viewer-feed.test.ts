import type { TerminalMessage, TerminalPosition } from '@signalbox/protocol/hub';
import { until } from '@signalbox/testing/hub/test-parts';
import { expect, it, onTestFinished } from 'vitest';
import { ByteRing } from '../../src/terminal-host/byte-ring.ts';
import { FLOOD_BYTES, FloodWatch } from '../../src/terminal-host/flood-watch.ts';
import { Screen } from '../../src/terminal-host/screen.ts';
import { type TerminalSource, ViewerFeed } from '../../src/terminal-host/viewer-feed.ts';

const LINE = Buffer.from(`${'x'.repeat(70)}\r\n`);

/** Alone more than may come in a tick. */
const FLOOD = Buffer.concat(Array.from({ length: Math.ceil(FLOOD_BYTES / LINE.length) }, () => LINE));

/** A terminal whose program prints as told. */
class PrintedTerminal implements TerminalSource {
  readonly epoch = 'one';
  readonly size = { cols: 80, rows: 24 };
  readonly resizes = 0;
  readonly resizedAt = 0;
  readonly output = new ByteRing(8 * 1024 * 1024);
  readonly screen = new Screen({ ...this.size, scrollback: 2000, onReply: () => {}, onBell: () => {} });
  readonly floods = new FloodWatch(this.output, this.screen);

  constructor() {
    onTestFinished(() => this.screen.dispose());
  }

  print(bytes: Buffer): void {
    this.output.push(bytes);
    this.screen.write(bytes, () => {});
  }

  /** Prints in one tick, however long it takes here; settles once it was looked at. */
  async flood(feed: ViewerFeed): Promise<void> {
    const looked = this.floods.next();
    this.print(FLOOD);
    feed.more();
    expect((await looked).isFlood).toBe(true);
  }
}

function watched(source: TerminalSource, { scrollback = 2000, at }: Watching = {}) {
  const heard: TerminalMessage[] = [];
  const got: Buffer[] = [];
  const link = {
    mayType: false,
    say: (message: TerminalMessage) => void heard.push(message),
    pass: (bytes: Uint8Array) => void got.push(Buffer.from(bytes)),
  };
  const feed = new ViewerFeed(source, link, { at, scrollback });
  onTestFinished(() => feed.end());
  const screens = () => heard.flatMap((one) => (one.type === 'screen' ? [one] : []));
  return { feed, heard, screens, got, bytes: () => got.reduce((sum, { length }) => sum + length, 0) };
}

interface Watching {
  scrollback?: number;
  at?: TerminalPosition;
}

function linesOf(text: string | undefined): number {
  return text?.split('\n').length ?? 0;
}

it('[TM3260] of a flood a viewer with scrollback gets a screen in a tick, and all it would keep at the end; one without gets every byte', async () => {
  const terminal = new PrintedTerminal();
  const page = watched(terminal);
  const program = watched(terminal, { scrollback: 0 });
  await until(() => page.screens().length === 1 && program.screens().length === 1);
  for (let tick = 0; tick < 6; tick += 1) {
    await terminal.flood(page.feed);
    // They draw what they are sent.
    for (let before = -1; before !== program.bytes(); ) {
      before = program.bytes();
      program.feed.drew(terminal.output.end);
    }
    page.feed.drew(terminal.output.end);
  }
  await until(() => linesOf(page.screens().at(-1)?.data) > 2000);
  // The first is before it, and the last after it.
  expect(page.screens().length).toBeGreaterThan(3);
  expect(page.screens().length).toBeLessThanOrEqual(2 + 6);
  for (const { data } of page.screens().slice(1, -1)) expect(linesOf(data)).toBeLessThan(30);
  expect(page.bytes()).toBeLessThanOrEqual(FLOOD_BYTES + 64 * 1024);
  expect(program.bytes()).toBe(6 * FLOOD.length);
  expect(program.screens()).toHaveLength(1);
});

it('[TM3262] a viewer that is cut off from a flood gets its scrollback when it comes again', async () => {
  const terminal = new PrintedTerminal();
  const { feed, screens } = watched(terminal);
  await until(() => screens().length === 1);
  while (screens().length === 1) {
    await terminal.flood(feed);
    // Its connection has room for what it is sent.
    feed.drew(terminal.output.end);
  }
  feed.end();
  const shown = screens()[1];
  expect(linesOf(shown?.data)).toBeLessThan(30);
  const again = watched(terminal, { at: { epoch: 'one', offset: shown?.offset ?? 0 } });
  await until(() => again.heard.length > 0);
  expect(again.heard[0]?.type).toBe('screen');
  expect(linesOf(again.screens()[0]?.data)).toBeGreaterThan(2000);
});
