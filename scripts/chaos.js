// @ts-check
// `npm run chaos [seed]`: the long form of what npm test does in short: kill agents, hosts, hubs, bridges, viewers and links
// at seeded points (docs/CHAOS.md). Prints the seed, with which a failure can be played again.
import { run, setUp, tool } from './setup.js';

setUp();
const seed = process.argv[2] ?? String(Math.floor(Math.random() * 1_000_000));
console.log(`signalbox: chaos with seed ${seed}; to play it again: npm run chaos -- ${seed}`);
const started = Date.now();
run(
  tool('vitest'),
  [
    'run',
    'packages/sdk/test/kill-points.test.ts',
    'packages/hub/test/bridge/chaos.test.ts',
    'packages/hub/test/chaos',
    'packages/hub/test/nodes/node-faults.test.ts',
    'packages/console/test/terminal-programs.test.ts',
  ],
  {
    SIGNALBOX_SEED: seed,
    SIGNALBOX_KILL_POINTS: '200',
    SIGNALBOX_CHAOS_ROUNDS: '20',
    SIGNALBOX_FAULT_POINTS: '504',
    SIGNALBOX_NODE_POINTS: '300',
    SIGNALBOX_REPEATED_ANSWERS: '10000',
    SIGNALBOX_MONSTERS: '60',
    SIGNALBOX_TERMINAL_MB: '1000',
  },
);
console.log(`signalbox: all of it held, in ${Math.round((Date.now() - started) / 1000)} s (seed ${seed})`);
