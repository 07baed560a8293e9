import { randomBytes } from 'node:crypto';
import serializing from '@xterm/addon-serialize/lib/addon-serialize.js';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { ByteRing } from '../../src/terminal-host/byte-ring.ts';
import { Screen } from '../../src/terminal-host/screen.ts';

const quiet = { scrollback: 1000, onReply: () => {}, onBell: () => {} };

/** A terminal that was drawn on. */
async function drawn(
  parts: readonly (string | Uint8Array)[],
): Promise<{ text: string; modes: object; mouse: string }> {
  const terminal = new headless.Terminal({ cols: 40, rows: 10, scrollback: 1000, allowProposedApi: true });
  const addon = new serializing.SerializeAddon();
  terminal.loadAddon(addon);
  let mouse = '';
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, ([mode]) => {
    if (mode === 1006) mouse = 'sgr';
    return false;
  });
  for (const part of parts) await new Promise<void>((resolve) => terminal.write(part, resolve));
  return { text: addon.serialize(), modes: { ...terminal.modes }, mouse };
}

/** What somebody sees who comes after some of the bytes: the screen, and the rest. */
async function attached(bytes: Buffer, at: number): Promise<Awaited<ReturnType<typeof drawn>>> {
  const screen = new Screen({ cols: 40, rows: 10, ...quiet });
  screen.write(bytes.subarray(0, at), () => {});
  const { data, offset } = await screen.snapshot(1000);
  return drawn([data, bytes.subarray(offset)]);
}

describe('a screen', () => {
  it('[TM1362] is the same for one who comes later, wherever the output was cut', async () => {
    const output = Buffer.from(
      'one\r\ntwo \x1b[31mred\x1b[0m \x1b[38;2;10;200;30mtrue\x1b[m é€😀\r\n\x1b]0;a title\x07\x1b[5;3Hhere' +
        '\x1b[?1049h\x1b[?1002h\x1b[?1006h\x1b[?1h\x1b[?2004h\x1b[3;8r\x1b[4;1Hless\x1b[7m(END)\x1b[0m\x1b[?25l\x1b[8;1H\nmore',
    );
    const whole = await drawn([output]);
    for (let at = 0; at <= output.length; at += 1)
      expect([at, await attached(output, at)]).toEqual([at, whole]);
  });

  it('[TM1363] keeps margins, cursor and mouse that programs set, and forgets them with a reset', async () => {
    const set = Buffer.from('\x1b[?1000;1006h\x1b[2;5r\x1b[?25l\x1b[4 q\x1b(0\x1b]2;deep\x07');
    const screen = new Screen({ cols: 40, rows: 10, ...quiet });
    screen.write(set, () => {});
    const { data } = await screen.snapshot(0);
    for (const sequence of ['\x1b[2;5r', '\x1b[?1006h', '\x1b[?25l', '\x1b[4 q', '\x1b(0', '\x1b]2;deep\x07'])
      expect(data).toContain(sequence);
    screen.write(Buffer.from('\x1bc'), () => {});
    const { data: after } = await screen.snapshot(0);
    expect(after).not.toMatch(/1006h|25l|;5r|\(0/);
  });

  it('[TM1364] answers what a program asks', async () => {
    const replies: string[] = [];
    const screen = new Screen({ cols: 40, rows: 10, ...quiet, onReply: (text) => void replies.push(text) });
    screen.write(Buffer.from('abc\x1b[6n\x1b[c'), () => {});
    await screen.snapshot(0);
    expect(replies[0]).toBe('\x1b[1;4R');
    expect(replies[1]).toMatch(/^.\[\?[\d;]+c$/);
  });

  it('[TM1365] keeps the last bytes by their offsets, and never more than it may', () => {
    const ring = new ByteRing(100_000);
    const all: Buffer[] = [];
    for (const length of [10, 65_526, 1, 30_000, 70_000, 5, 250_000, 99_999, 3]) {
      const chunk = randomBytes(length);
      all.push(chunk);
      ring.push(chunk);
      const whole = Buffer.concat(all);
      expect(ring.end).toBe(whole.length);
      expect(ring.end - ring.start).toBeLessThanOrEqual(100_000);
      expect(ring.read(ring.start, 200_000).equals(whole.subarray(ring.start))).toBe(true);
      expect(ring.read(ring.end - 5, 3).equals(whole.subarray(-5, -2))).toBe(true);
    }
  });
});
