import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { afterEach, describe, expect, it } from 'vitest';
import { readLines, sendAll } from '../conversation.ts';
import { connectHybridPair, type Fate, type HybridPair } from './hybrid-pair.ts';

let pair: HybridPair;
afterEach(() => pair.cleanup());

const FATES: readonly Fate[] = ['cut before', 'cut after', 'unavailable before', 'unavailable after'];
const SEEDS = process.env.SIGNALBOX_FUZZ_SEED ? [Number(process.env.SIGNALBOX_FUZZ_SEED)] : [1, 2, 3, 4, 5];
const MESSAGES = 400;

/** A message of chance kind and length; most kinds have an id, one has none. */
function chanceMessage(random: SeededRandom, n: number): string {
  const pad = 'é'.repeat(random.chance(90) ? random.below(300) : random.below(100_000));
  switch (random.below(4)) {
    case 0:
      return JSON.stringify({ type: 'assistant', n, pad, uuid: `uuid-${n}` });
    case 1:
      return JSON.stringify({ type: 'control_request', n, pad, request_id: `request-${n}` });
    case 2:
      return JSON.stringify({ type: 'control_response', response: { request_id: `request-${n}`, pad } });
    default:
      return JSON.stringify({ type: 'keep_alive' });
  }
}

describe('when POSTs fail before or after the server took them', () => {
  it.each(FATES)('[HY24] what was %s its answer arrives once', async (fate) => {
    const fates: Fate[] = [fate];
    pair = await connectHybridPair({ fate: () => fates.shift() ?? 'answered' });
    const lines = ['{"type":"user","uuid":"u"}', '{"type":"keep_alive"}', '{"type":"keep_alive"}'];
    await sendAll(pair.client, lines);
    const received = pair.server.receive();
    expect(await readLines(received, 3)).toEqual(lines);
    await pair.client.send('"next"');
    expect(await readLines(received, 1)).toEqual(['"next"']);
    expect(pair.posts()).toBeGreaterThanOrEqual(3);
  });

  it.each(SEEDS)(
    '[HY24] every line arrives once and in order, whatever fails when (seed %i)',
    async (seed) => {
      const chance = new SeededRandom(seed);
      pair = await connectHybridPair({
        fate: () => (chance.chance(50) ? 'answered' : (FATES[chance.below(FATES.length)] ?? 'answered')),
        client: { postTimeoutMs: 500 },
      });
      const { client, server, cutPosts, cutSockets } = pair;
      const content = new SeededRandom(seed);
      const lines = Array.from({ length: MESSAGES }, (_, n) => chanceMessage(content, n));
      const sending = (async () => {
        for (const line of lines) {
          await client.send(line);
          if (chance.chance(20)) await delay(chance.below(3));
          if (chance.chance(3)) cutPosts();
          if (chance.chance(2)) cutSockets();
        }
        await client.close();
      })();
      const arrived = server.receive();
      const received = await readLines(arrived, lines.length);
      await sending;
      // A client that leaves while its socket is away cannot say goodbye: the server has to end it.
      await server.close();
      expect(await readLines(arrived, 1)).toEqual([]);
      expect(received.findIndex((line, n) => line !== lines[n])).toBe(-1);
      expect(pair.posts()).toBeGreaterThan(5);
    },
  );
});
