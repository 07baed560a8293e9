import { describe, expect, it } from 'vitest';
import type { ChildTransport } from '../../src/stdio/child-transport.ts';
import { readLines, rejectionOf, untilStill } from '../conversation.ts';
import { startNode } from './node-child.ts';

const KIB = 1024;

describe('a child that writes more than we read', () => {
  /** Writes as fast as it may, and says on stderr how far it got. */
  async function startFlood(
    line: string,
    count: number,
  ): Promise<{ child: ChildTransport; written: () => number }> {
    let written = 0;
    const child = await startNode(
      `const { writeSync } = require('fs');
       const chunk = Buffer.from(${JSON.stringify(`${line}\n`)}.repeat(${count / 64}));
       for (let n = 0; n < 64; n += 1) {
         for (let at = 0; at < chunk.length; ) at += writeSync(1, chunk, at);
         writeSync(2, (n + 1) * chunk.length + ' ');
       }`,
      { onStderr: (text) => (written = Number(text.trim().split(' ').at(-1))) },
    );
    return { child, written: () => written };
  }

  it('[TR27] is stopped after a bounded number of bytes, and goes on when we read', async () => {
    const line = 'x'.repeat(1023);
    const count = 16 * KIB;
    const { child, written } = await startFlood(line, count);
    await untilStill(written);
    expect(written()).toBeLessThan(4 * KIB * KIB);
    const lines = await readLines(child.receive(), count);
    expect(lines).toHaveLength(count);
    expect(lines.every((text) => text === line)).toBe(true);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('[TR27] is stopped by tiny lines as early as by long ones', async () => {
    const count = KIB * KIB;
    const { child, written } = await startFlood('1', count);
    await untilStill(written);
    expect(written()).toBeLessThan(KIB * KIB);
    expect(await readLines(child.receive(), count)).toHaveLength(count);
  });

  it('[TR28] a line past the limit fails the transport, after the lines before it', async () => {
    const child = await startNode("console.log('1\\n' + 'x'.repeat(2000)); setInterval(() => {}, 1000)", {
      maxLineBytes: 1000,
      graceMs: { afterEndOfInput: 50, afterSigterm: 50 },
    });
    const lines = child.receive();
    expect(await readLines(lines, 1)).toEqual(['1']);
    expect(await rejectionOf(readLines(lines, 1))).toMatchObject({
      code: 'TRANSPORT_FAILED',
      cause: { code: 'LINE_TOO_LONG' },
    });
    expect(child.state).toBe('closed');
    await child.close();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });
});
