import { defineConfig } from 'vitest/config';
import { EVENT_MS } from './packages/testing/src/event-limit.ts';
import { leanWorkers, PAGES } from './test/lean-worker.ts';
import { Sequence } from './test/sequence.ts';

/** Files that look at pages. Workers that have started a browser for one take the next. */
const OF_PAGES = 'packages/console/test/**/*.test.ts';

/**
 * Files that change or count something of the whole process: its environment, its listeners, its timers, its memory. Each gets
 * a process of its own. All others share processes, and what they import is loaded once in each.
 */
const ISOLATED = [
  'packages/agent/test/sandbox/sandbox.test.ts',
  'packages/agent/test/tools/bash.test.ts',
  'packages/cli/test/command-table.test.ts',
  'packages/hub/test/changes/discard-memory.test.ts',
  'packages/hub/test/server/freed-sockets.test.ts',
  'packages/sdk/test/official/{archive,settings}.test.ts',
  'packages/sdk/test/process.test.ts',
  'packages/sdk/test/sessions/official.test.ts',
  'packages/transport/test/state-box.test.ts',
  'packages/transport/test/websocket/{closing,framing}.test.ts',
];

const COMMON = {
  pool: leanWorkers,
  // What is free is given back, so that workers stay small.
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '1048576' },
  // An event that a test waits for may take this long on a laptop that does other things as well.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: EVENT_MS } },
} as const;

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    // Most tests wait for processes, not for a core.
    maxWorkers: 6,
    sequence: { sequencer: Sequence },
    reporters: [process.env.CI ? 'dot' : 'default', './test/promises-reporter.ts'],
    projects: [
      { test: { ...COMMON, name: 'isolated', include: ISOLATED } },
      {
        test: {
          ...COMMON,
          name: 'shared',
          isolate: false,
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', OF_PAGES, ...ISOLATED],
        },
      },
      { test: { ...COMMON, name: PAGES, isolate: false, include: [OF_PAGES] } },
    ],
  },
});
