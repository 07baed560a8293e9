import { describe, expect, it } from 'vitest';
import { Frame } from '../../src/sessions/frame.ts';

describe('a frame for viewers that inflate', () => {
  it('[HB370] a long one is deflated elsewhere, or goes out as it is', async () => {
    const frame = new Frame(['x'.repeat(1024 * 1024)]);
    expect(frame.deflated).toBe(frame.plain);
    await frame.deflate();
    expect(frame.deflated.length).toBeLessThan(10_000);
    expect(new Frame(['x'.repeat(100_000)]).deflated.length).toBeLessThan(1000);
  });
});
