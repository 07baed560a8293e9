import { SeededRandom } from '@signalbox/testing/seeded-random';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { OutputGuard } from '../../src/terminal-host/output-guard.ts';

const SIZE = { cols: 40, rows: 10 };

/** What is left of some output that comes in these parts. */
function guarded(parts: readonly Uint8Array[]): Buffer {
  const guard = new OutputGuard(() => SIZE);
  return Buffer.concat(parts.map((part) => Buffer.from(guard.push(part))));
}

/** How far a terminal is told to go at once, by what; and the longest that it is told to keep. Nothing of it is done. */
async function asked(bytes: Uint8Array): Promise<Record<string, number>> {
  const terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true, logLevel: 'off' });
  const most: Record<string, number> = {};
  const note = (what: string, number: number): true => {
    most[what] = Math.max(most[what] ?? 0, number);
    return true;
  };
  for (const final of ['L', 'M', 'S', 'T', 'I', 'Z', 'b'])
    terminal.parser.registerCsiHandler({ final }, ([first = 0]) =>
      note(final, typeof first === 'number' ? first : 0),
    );
  for (const osc of [0, 2, 4, 8]) terminal.parser.registerOscHandler(osc, (text) => note('osc', text.length));
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  for (let row = 0; row < SIZE.rows; row += 1)
    for (let col = 0; col < SIZE.cols; col += 1)
      note('cell', terminal.buffer.active.getLine(row)?.getCell(col)?.getChars().length ?? 0);
  return most;
}

/** The same bytes in parts of chance. */
function cut(bytes: Buffer, random: SeededRandom): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(random.oneIn(3) ? 3 : 200);
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return parts;
}

describe('the guard of what a program writes', () => {
  it('[TM1522] leaves no sequence that would take a terminal hours, however it is written', async () => {
    const opener = [
      '\x1b[',
      '\xc2\x9b',
      '\x1b\x1b[',
      '\x1b]2;x\xc2\x9b',
      '\x1bPx\xc2\x9b',
      '\x1b[3\x1b[',
      '\x1b[3\xc2\x9b',
      '\x1b\xc2[',
    ];
    const between = ['', '0', '\n', '\x00', '\x7f', '\xc2', '\x80', '\xff', '\xf0\x9f'];
    const harmless = [
      'text',
      '\r\n',
      'é€😀',
      '\x1b[31m',
      '\x1b]0;t\x07',
      '\x1bPq\x1b\\',
      '\x18',
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\xc2',
    ];
    for (let seed = 0; seed < 300; seed += 1) {
      const random = new SeededRandom(seed);
      const sequence = (): string => {
        const digits = random.pick(['2147483647', '99999', '0000000000001234567', '4294967297']).split('');
        const final = random.pick(['L', 'M', 'S', 'T', 'I', 'Z', 'b']);
        return `${random.pick(opener)}${digits.map((digit) => digit + (random.oneIn(3) ? random.pick(between) : '')).join('')}${final}`;
      };
      const all = Array.from({ length: 20 }, () => (random.oneIn(2) ? sequence() : random.pick(harmless)));
      const most = await asked(guarded(cut(Buffer.from(all.join(''), 'latin1'), random)));
      const { rows, cols } = SIZE;
      for (const [what, limit] of Object.entries({
        L: rows,
        M: rows,
        S: rows,
        T: rows,
        I: cols,
        Z: cols,
        b: 1000,
      }))
        expect([seed, what, Math.min(most[what] ?? 0, limit)]).toEqual([seed, what, most[what] ?? 0]);
    }
  });

  it('[TM1523] leaves no title, address or list of colours, and no character, without end', async () => {
    const random = new SeededRandom(1);
    const long = ['\x1b]2;', '\x1b]8;;', '\xc2\x9d4;1;?;', '\x1b]0;x\x1b]2;'].map(
      (start) => `${start}${'1;?;'.repeat(20_000)}\x07`,
    );
    const marks = `a${'\u0301'.repeat(5000)}b${'\u200d\ufe0f\u1160'.repeat(2000)}c`;
    const bytes = Buffer.concat([Buffer.from(long.join(''), 'latin1'), Buffer.from(marks)]);
    const most = await asked(guarded(cut(bytes, random)));
    expect(most.osc).toBeGreaterThan(1000);
    expect(most.osc).toBeLessThanOrEqual(8192);
    expect(most.cell).toBeLessThanOrEqual(1 + 32);
    const clipboard = Buffer.from(`\x1b]52;c;${'QUJD'.repeat(20_000)}\x07`);
    expect(guarded(cut(clipboard, random)).equals(clipboard)).toBe(true);
  });

  it('[TM1522] passes everything else on as it was written', () => {
    const output = Buffer.from(
      'one\r\ntwo \x1b[31mred\x1b[0m \x1b[38;2;10;200;30mtrue\x1b[m é€😀 a\u0301\r\n\x1b]0;a title\x07\x1b[999;999H\x1b[3S\x1b[10L' +
        '\x1b[?1049h\x1b[?1002;1006h\x1b[3;8r\x1b[20b\x1b[7m(END)\x1b[0m\x1b(0\x1bP$qm\x1b\\\x1b]8;;http://a.example\x1b\\x\x9b\x1b[6n\x18\x1b',
    );
    for (let seed = 0; seed < 100; seed += 1)
      expect([seed, guarded(cut(output, new SeededRandom(seed))).toString('latin1')]).toEqual([
        seed,
        output.toString('latin1'),
      ]);
  });
});
