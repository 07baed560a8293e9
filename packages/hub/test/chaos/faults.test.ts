import { fileURLToPath } from 'node:url';
import { startModel } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { playRound } from './round.ts';
import type { Script } from './sending-person.ts';
import { Stage } from './stage.ts';

const { SIGNALBOX_SEED, SIGNALBOX_FAULT_POINTS } = process.env;
const FIRST_SEED = Number(SIGNALBOX_SEED ?? 7);
const POINTS = Number(SIGNALBOX_FAULT_POINTS ?? 24);
const POINTS_A_ROUND = 24;
const SEEDS = Array.from({ length: Math.ceil(POINTS / POINTS_A_ROUND) }, (_, at) => FIRST_SEED + at);

const AGENT = fileURLToPath(new URL('../../../../dist/signalbox-agent.js', import.meta.url));
const AGENT_WORDS =
  '-p --input-format stream-json --output-format stream-json --verbose --permission-prompt-tool stdio --replay-user-messages';

/** A short turn, with a question now and then. */
const chatty: Script = (random) =>
  JSON.stringify({ lines: 3 + random.below(10), asks: random.below(3), paceMs: random.below(12) });

/** What the scripted model makes of a prompt: words, slow words, or a command that has to be allowed. */
const puppet: Script = (random) => ['say hello', 'slow 20', 'run touch asked'][random.below(3)] ?? '';

describe('kills of hub, bridge, viewer and link while agents stream and ask', () => {
  it.each(SEEDS)(
    '[FT1][FT2] lose nothing, double nothing and leave the order as it was (seed %i)',
    { timeout: 400_000 },
    async (seed) => {
      const startedAt = Date.now();
      const model = await startModel();
      const stage = await Stage.set({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted' });
      await stage.addPlayer('a');
      await stage.addPlayer('b');
      await stage.addPlayer('real', [
        process.execPath,
        AGENT,
        ...AGENT_WORDS.split(' '),
        '--include-partial-messages',
      ]);
      await stage.addWatcher('v1');
      await stage.addWatcher('v2');
      const scripts = { a: chatty, b: chatty, real: puppet };
      const { violations, totals } = await playRound(stage, { seed, points: POINTS_A_ROUND, scripts });
      if (SIGNALBOX_FAULT_POINTS !== undefined) report(seed, totals, Date.now() - startedAt);
      expect(violations, `to play it again: npm run chaos -- ${seed}`).toEqual([]);
    },
  );
});

/** One line for each round of the long form. */
function report(seed: number, totals: Readonly<Record<string, number>>, ms: number): void {
  const rate = ((POINTS_A_ROUND * 1000) / ms).toFixed(2);
  const counts = Object.entries(totals).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`seed ${seed}: ${POINTS_A_ROUND} points, ${rate} a second; ${counts.join(', ')}\n`);
}
