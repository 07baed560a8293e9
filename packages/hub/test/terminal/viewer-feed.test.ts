import { setImmediate as turn } from 'node:timers/promises';
import type { TerminalMessage, TerminalPosition } from '@signalbox/protocol/hub';
import { until } from '@signalbox/testing/hub/test-parts';
import { expect, it, onTestFinished } from 'vitest';
import { ByteRing } from '../../src/terminal-host/byte-ring.ts';
import { FLOOD_BYTES, FloodWatch } from '../../src/terminal-host/flood-watch.ts';
import { Screen } from '../../src/terminal-host/screen.ts';
import { type TerminalSource, ViewerFeed } from '../../src/terminal-host/viewer-feed.ts';

const LINE = Buffer.from(`${'x'.repeat(70)}\r\n`);

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

  async print(bytes: Buffer): Promise<void> {
    this.output.push(bytes);
    await new Promise<void>((drawn) => this.screen.write(bytes, drawn));
  }
}

function watched(source: TerminalSource, at?: TerminalPosition) {
  const heard: TerminalMessage[] = [];
  const link = {
    mayType: false,
    say: (message: TerminalMessage) => void heard.push(message),
    pass: () => {},
  };
  const feed = new ViewerFeed(source, link, { at, scrollback: 2000 });
  onTestFinished(() => feed.end());
  return { feed, heard };
}

it('[TM3262] a viewer that is cut off from a flood gets its scrollback when it comes again', async () => {
  const terminal = new PrintedTerminal();
  const { feed, heard } = watched(terminal);
  await until(() => heard.length === 1);
  const slice = Buffer.concat(Array.from({ length: Math.ceil(FLOOD_BYTES / LINE.length) }, () => LINE));
  while (heard.length === 1) {
    await terminal.print(slice);
    feed.more();
    // Its connection has room for what it is sent.
    feed.drew(terminal.output.end);
    await turn();
  }
  feed.end();
  const shown = heard[1];
  if (shown?.type !== 'screen') throw new Error('no screen');
  expect(shown.data.split('\n').length).toBeLessThan(30);
  const again = watched(terminal, { epoch: 'one', offset: shown.offset });
  await until(() => again.heard.length > 0);
  const [first] = again.heard;
  if (first?.type !== 'screen') throw new Error(`it was told ${first?.type}`);
  expect(first.data.split('\n').length).toBeGreaterThan(2000);
});
