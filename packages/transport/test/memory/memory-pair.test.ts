import { describe, expect, it } from 'vitest';
import { createMemoryPair } from '../../src/memory/memory-pair.ts';
import { readLines, readToEnd, sendAll } from '../conversation.ts';

describe('memory pair', () => {
  it('[TR16] with manual delivery nothing arrives before flush()', async () => {
    const { left, right, flush } = createMemoryPair({ delivery: 'manual' });
    await sendAll(left, ['1', '2']);
    let arrived = 0;
    const lines = right.receive();
    const reading = (async () => {
      while (!(await lines.next()).done) arrived += 1;
    })();
    await new Promise(setImmediate);
    expect(arrived).toBe(0);
    flush();
    await new Promise(setImmediate);
    expect(arrived).toBe(2);
    await left.close();
    await reading;
  });

  it('[TR16] flush(n) delivers the first n lines of each direction', async () => {
    const { left, right, flush } = createMemoryPair({ delivery: 'manual' });
    await sendAll(left, ['1', '2', '3']);
    await sendAll(right, ['a']);
    const [atRight, atLeft] = [right.receive(), left.receive()];
    flush(2);
    expect(await readLines(atRight, 2)).toEqual(['1', '2']);
    expect(await readLines(atLeft, 1)).toEqual(['a']);
    let hasThird = false;
    const third = readLines(atRight, 1).finally(() => {
      hasThird = true;
    });
    await right.send('b');
    await new Promise(setImmediate);
    expect(hasThird).toBe(false);
    flush(1);
    expect(await third).toEqual(['3']);
    expect(await readLines(atLeft, 1)).toEqual(['b']);
  });

  it('[TR16] close() delivers what waits for a flush', async () => {
    const { left, right } = createMemoryPair({ delivery: 'manual' });
    await sendAll(left, ['1', '2']);
    await left.close();
    expect(await readToEnd(right)).toEqual(['1', '2']);
  });

  it('[TR16] highWaterBytes is what may wait at one end before the other end waits', async () => {
    const { left, right } = createMemoryPair({ highWaterBytes: 1000 });
    await left.send('1'.repeat(900));
    let hasRoom = false;
    const waiting = left.send('2'.repeat(100)).then(() => {
      hasRoom = true;
    });
    await new Promise(setImmediate);
    expect(hasRoom).toBe(false);
    await right.receive().next();
    await right.send('other direction');
    await waiting;
  });
});
