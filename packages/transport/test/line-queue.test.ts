import { WireLine } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { LineQueue } from '../src/line-queue.ts';

describe('line queue', () => {
  const textOf = async (next: Promise<IteratorResult<WireLine>>): Promise<string> =>
    (await next).value.text();

  it('[TR17] calls of next() that wait at the same time get a line each, in order', async () => {
    const queue = new LineQueue({ onRoom: () => {} });
    const asked = [queue.next(), queue.next(), queue.next()];
    for (const text of ['1', '2', '3']) queue.push(WireLine.of(text));
    expect(await Promise.all(asked.map(textOf))).toEqual(['1', '2', '3']);
  });

  it('[TR17] take() gives the next line that has arrived, and nothing when there is none', async () => {
    const queue = new LineQueue({ onRoom: () => {} });
    for (const text of ['1', '2', '3']) queue.push(WireLine.of(text));
    expect(queue.take()?.text()).toBe('1');
    expect(await textOf(queue.next())).toBe('2');
    queue.end(new Error('broken'));
    expect(queue.take()?.text()).toBe('3');
    expect(queue.take()).toBeUndefined();
    await expect(queue.next()).rejects.toThrow('broken');
  });

  it('[TR17] an error is thrown once, after the lines that arrived before it', async () => {
    const queue = new LineQueue({ onRoom: () => {} });
    queue.push(WireLine.of('1'));
    queue.end(new Error('broken'));
    expect(await textOf(queue.next())).toBe('1');
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it('[TR17] an error ends every call of next() that waits', async () => {
    const queue = new LineQueue({ onRoom: () => {} });
    const [first, second] = [queue.next(), queue.next()];
    queue.end(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    expect(await second).toEqual({ done: true, value: undefined });
  });

  it('[TR18] the source pauses past the limit and goes on when half of it was read', async () => {
    let rooms = 0;
    const queue = new LineQueue({ onRoom: () => (rooms += 1), highWaterBytes: 4000 });
    const line = WireLine.of('x'.repeat(1000));
    const pushed = Array.from({ length: 4 }, () => queue.push(line));
    expect(pushed).toEqual([true, true, true, false]);
    await queue.next();
    expect(rooms).toBe(0);
    await queue.next();
    await queue.next();
    expect(rooms).toBe(1);
    expect(queue.push(line)).toBe(true);
  });

  it('[TR18] lines that are taken make room like those that are awaited', () => {
    let rooms = 0;
    const queue = new LineQueue({ onRoom: () => (rooms += 1), highWaterBytes: 10 });
    expect(queue.push(WireLine.of('12345678901'))).toBe(false);
    queue.take();
    expect(rooms).toBe(1);
  });

  it('[TR18] tiny lines count for what they cost, not for their bytes alone', () => {
    const queue = new LineQueue({ onRoom: () => {}, highWaterBytes: 10_000 });
    let pushed = 1;
    while (queue.push(WireLine.of('1'))) pushed += 1;
    expect(pushed).toBeLessThan(200);
  });

  it('[TR18] a consumer that leaves lets a paused source go on', async () => {
    let rooms = 0;
    const queue = new LineQueue({ onRoom: () => (rooms += 1), highWaterBytes: 10 });
    expect(queue.push(WireLine.of('12345678901'))).toBe(false);
    await queue.return();
    expect(rooms).toBe(1);
    expect(queue.push(WireLine.of('12345678901'))).toBe(true);
  });
});
