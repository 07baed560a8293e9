import { spelledOut } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../src/text/clean-text.ts';
import { encodeLine, type Line, textOf } from '../src/text/line.ts';
import { markdownLines, settledLength } from '../src/text/markdown.ts';
import { cutLine, lineWidth, wrapLine } from '../src/text/wrap-line.ts';

const rows = (text: string, width = 60): string[] => markdownLines(text, width).map(textOf);

const SAMPLE = `# Title

Some *soft* and **loud** words with \`code\` and [a link](https://example.com), https://spelled.example.

- one
- two with a long line that has to be wrapped because it is longer than the terminal
  1. nested
- [x] done
- [ ] open

> quoted

\`\`\`ts
const answer = 42;
\`\`\`

| name | what it is |
|---|---:|
| 信号 | a signal, 日本語で |
| box | where somebody sits &amp; pulls levers |

---
`;

describe('Markdown in a terminal', () => {
  it('[CH1] becomes rows: headings, lists, code, quotes, tables and links', () => {
    expect(rows(SAMPLE, 64).map((row) => row.trimEnd())).toEqual([
      'Title',
      '',
      'Some soft and loud words with code and a link',
      '(https://example.com), https://spelled.example.',
      '',
      '• one',
      '• two with a long line that has to be wrapped because it is',
      '  longer than the terminal',
      '  1. nested',
      '☑ done',
      '☐ open',
      '',
      '▎ quoted',
      '',
      '  const answer = 42;',
      '',
      'name │                         what it is',
      '─────┼───────────────────────────────────',
      '信号 │                 a signal, 日本語で',
      'box  │ where somebody sits & pulls levers',
      '',
      '─'.repeat(24),
    ]);
  });

  it('[CH1] marks what is bold, italic, code and a link', () => {
    const spans = markdownLines('a **b** *c* `d` [e](f)', 60).flat();
    expect(spans).toContainEqual({ text: 'b', bold: true });
    expect(spans).toContainEqual({ text: 'c', italic: true });
    expect(spans).toContainEqual({ text: 'd', color: 'cyan' });
    expect(spans).toContainEqual({ text: 'e', underline: true, color: 'blue' });
  });

  it('[CH530] shows Markdown that would overflow or outlast the parser as plain text', () => {
    for (const [bomb, word] of [
      [`${'>'.repeat(20_000)} quoted`, 'quoted'],
      [`${'- '.repeat(20_000)} listed`, 'listed'],
      [`${'**'.repeat(30_000)} starred`, 'starred'],
      [`${'*a **b '.repeat(2000)}nested${' b** a*'.repeat(2000)}`, 'nested'],
    ] as const) {
      const shown = markdownLines(bomb, 80).map((line) => line.map(({ text }) => text).join(''));
      expect(shown.some((line) => line.includes(word))).toBe(true);
    }
    const [fine] = markdownLines(`> ${'>'.repeat(10)} **b**`, 80);
    expect(fine).toContainEqual(expect.objectContaining({ text: 'b', bold: true }));
  });

  it('[CH3] never has a row that is wider than the terminal, down to the narrowest', () => {
    for (const width of [80, 40, 20, 12, 8, 4]) {
      const tooWide = markdownLines(SAMPLE, width).filter((line) => lineWidth(line) > width);
      expect({ width, tooWide: tooWide.map(textOf) }).toEqual({ width, tooWide: [] });
    }
  });

  it('[CH3] turns a table into fields where its columns have no room', () => {
    expect(rows('| name | size |\n|---|---|\n| box | big |', 10)).toEqual(['name: box', 'size: big']);
  });

  it('[CH2] what is settled of a growing text does not change any more, and the pieces make up the whole', () => {
    for (let end = 1; end <= SAMPLE.length; end++) {
      const written = SAMPLE.slice(0, end);
      const settled = settledLength(written);
      expect(SAMPLE.startsWith(written.slice(0, settled))).toBe(true);
      const pieces = [written.slice(0, settled), written.slice(settled)].filter((piece) => piece.trim());
      const apart = pieces.flatMap((piece) => rows(piece).filter(Boolean));
      expect(apart).toEqual(rows(written).filter(Boolean));
    }
    expect(settledLength(SAMPLE)).toBeGreaterThan(SAMPLE.length - 10);
  });
});

describe('rows', () => {
  it('[CH3] wrap at words, and keep wide characters whole', () => {
    const wrapped = (line: Line, width: number): string[] => wrapLine(line, width).map(textOf);
    expect(wrapped([{ text: 'the quick ' }, { text: 'brown', bold: true }, { text: ' fox' }], 10)).toEqual([
      'the quick ',
      'brown fox',
    ]);
    expect(wrapped([{ text: '日本語日本語' }], 5)).toEqual(['日本', '語日', '本語']);
    expect(wrapped([{ text: '👩‍👩‍👧x' }], 2)).toEqual(['👩‍👩‍👧', 'x']);
    expect(wrapped([{ text: 'unbreakable' }], 4)).toEqual(['unbr', 'eaka', 'ble']);
  });

  it('[CH3] are cut with an ellipsis where they may not wrap', () => {
    expect(textOf(cutLine([{ text: 'a long line' }], 7))).toBe('a long…');
    expect(textOf(cutLine([{ text: '日本語' }], 4))).toBe('日…');
  });

  it('[CH25] lose their colours and keep their weight without colour', () => {
    const line: Line = [{ text: 'x', bold: true, color: 'red' }, { text: 'y' }];
    expect(encodeLine(line, true)).toBe('\x1b[1;31mx\x1b[0my');
    expect(encodeLine(line, false)).toBe('\x1b[1mx\x1b[0my');
  });
});

describe('text of others', () => {
  it('[CH4] cannot move the cursor, colour or reorder what is shown', () => {
    const hostile = 'a\x1b[2Jb\x1b]0;title\x07c\x9b31md\u202ee\tf\r\n10%\r20%\x00';
    expect(cleanText(hostile)).toBe('abcde    f\n20%');
  });

  it('[CH531] is made fit to be shown in the time that its length takes, also where it is one long line', () => {
    const long = 'x'.repeat(1_000_000);
    expect(cleanText(long)).toBe(long);
    expect(cleanText(`a\r\r${long}\r`)).toBe(long);
    expect(cleanText('1%\r2%\r\r\nb\r')).toBe('\nb');
  });

  it('[CH4] is spelled out where somebody has to judge it', () => {
    expect(spelledOut('ls\x1b[2K\u202e')).toBe('ls\\u001b[2K\\u202e');
  });
});
