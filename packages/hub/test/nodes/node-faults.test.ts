import { HAS_POSTGRES } from '@signalbox/testing/postgres-cluster';
import { describe, expect, it } from 'vitest';
import { playRound } from '../chaos/round.ts';
import type { Script } from '../chaos/sending-person.ts';
import { Stage } from '../chaos/stage.ts';
import { NodeCluster } from './node-cluster.ts';

const { SIGNALBOX_SEED, SIGNALBOX_NODE_POINTS } = process.env;
const FIRST_SEED = Number(SIGNALBOX_SEED ?? 7);
const POINTS = Number(SIGNALBOX_NODE_POINTS ?? 12);
const POINTS_A_ROUND = Math.min(POINTS, 30);
const SEEDS = Array.from({ length: Math.ceil(POINTS / POINTS_A_ROUND) }, (_, at) => FIRST_SEED + at);

/** A short turn, with a question now and then. */
const chatty: Script = (random) =>
  JSON.stringify({ lines: 3 + random.below(10), asks: random.below(3), paceMs: random.below(12) });

describe.runIf(HAS_POSTGRES)(
  'three nodes that are killed, ended, stopped and cut off from their database while agents stream and ask',
  () => {
    it.each(SEEDS)(
      '[NO3050] lose nothing, deliver nothing twice and keep the order (seed %i)',
      async (seed) => {
        const nodes = await NodeCluster.open(seed);
        const stage = Stage.onNodes(nodes);
        await stage.addPlayer('a');
        await stage.addPlayer('b');
        await stage.addWatcher('v1');
        await stage.addWatcher('v2');
        const { violations, totals } = await playRound(stage, {
          seed,
          points: POINTS_A_ROUND,
          scripts: { a: chatty, b: chatty },
        });
        if (SIGNALBOX_NODE_POINTS !== undefined)
          process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...totals, ...nodes.faults })}\n`);
        expect(violations, `to play it again: npm run chaos -- ${seed}`).toEqual([]);
      },
    );

    it('[NO3051] a node that was stopped for longer than its lease, and continued, ends, and the sessions go on without it', async () => {
      const nodes = await NodeCluster.open(FIRST_SEED, 2);
      const stage = Stage.onNodes(nodes);
      await stage.addPlayer('a');
      await stage.addWatcher('v1');
      nodes.next = 'stop leader';
      await stage.killHub();
      const { violations } = await playRound(stage, { seed: FIRST_SEED, points: 0, scripts: { a: chatty } });
      expect(violations).toEqual([]);
    });
  },
);
