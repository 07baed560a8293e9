import { expect, it } from 'vitest';
import type { DirectedScene } from './contract.ts';
import { readLines, rejectionOf, sendAll, startWriting, untilStill } from './conversation.ts';
import { DIFFICULT_LINES, linesBeyond, numberedLine } from './sample-lines.ts';

/** What happens to lines on their way: TR2 to TR6 of the contract. */
export function describeLines({ near, far, maxBytesUnderWay }: DirectedScene): void {
  it('[TR2] any text arrives byte for byte, sent as text or as bytes', async () => {
    const lines = DIFFICULT_LINES.flatMap((line) => [line, Buffer.from(line)]);
    const [received] = await Promise.all([readLines(far().receive(), lines.length), sendAll(near(), lines)]);
    // One by one: a failed comparison of all would print megabytes.
    for (const [at, line] of lines.entries()) {
      expect(received[at] === line.toString(), `line ${at} arrived as it was sent`).toBe(true);
    }
  });

  it('[TR3] a line that would not arrive as one line is refused, and nothing of it is sent', async () => {
    for (const line of ['a\nb', 'a\n', 'a\r', '\r\n1', Buffer.from('a\nb'), Buffer.from('a\r')]) {
      expect(await rejectionOf(near().send(line))).toMatchObject({ code: 'LINE_HAS_BREAK' });
    }
    for (const line of ['', ' \t ', '\n', new Uint8Array(0), Buffer.from('  ')]) {
      expect(await rejectionOf(near().send(line))).toMatchObject({ code: 'LINE_IS_BLANK' });
    }
    await near().send('1');
    expect(await readLines(far().receive(), 1)).toEqual(['1']);
  });

  it('[TR4] a reader that does not read stops its writer; everything arrives once it reads', async () => {
    const size = 32 * 1024;
    const lines = [...linesBeyond(maxBytesUnderWay, size)];
    const writer = startWriting(near(), lines);
    await untilStill(writer.taken);
    expect(writer.taken()).toBeLessThan(lines.length - 1);
    const received = await readLines(far().receive(), lines.length);
    await writer.done;
    expect(received).toHaveLength(lines.length);
    expect(received.findIndex((line, n) => line !== lines[n])).toBe(-1);
  });

  it('[TR5] one consumer reads a transport; a second one is refused', async () => {
    await sendAll(near(), ['1', '2']);
    const first = far().receive();
    expect(await readLines(first, 1)).toEqual(['1']);
    const second = (async () => far().receive().next())();
    expect(await rejectionOf(second)).toMatchObject({ code: 'RECEIVE_TWICE' });
    expect(await readLines(first, 1)).toEqual(['2']);
  });

  it('[TR6] a consumer that stops reading blocks neither its writer nor the other direction', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => numberedLine(n, maxBytesUnderWay / 50));
    const writing = sendAll(near(), lines);
    for await (const line of far().receive()) {
      expect(line.text() === lines[0]).toBe(true);
      break;
    }
    await writing;
    await far().send('1');
    expect(await readLines(near().receive(), 1)).toEqual(['1']);
  });
}
