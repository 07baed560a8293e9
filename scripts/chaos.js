// @ts-check
// `npm run chaos [seed]`: the long form of what npm test does in short: kill agents, hosts, pipes, bridges and links at
// seeded points. Prints the seed, with which a failure can be played again.
import { run, setUp, tool } from './setup.js';

setUp();
const seed = process.argv[2] ?? String(Math.floor(Math.random() * 1_000_000));
console.log(`signalbox: chaos with seed ${seed}`);
run(
  tool('vitest'),
  ['run', 'packages/sdk/test/kill-points.test.ts', 'packages/hub/test/bridge/chaos.test.ts'],
  {
    SIGNALBOX_SEED: seed,
    SIGNALBOX_KILL_POINTS: '200',
    SIGNALBOX_CHAOS_ROUNDS: '20',
  },
);
