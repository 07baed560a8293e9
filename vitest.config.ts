import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Most tests wait for processes, not for a core.
    maxWorkers: 3,
    // Tests run real processes: a machine that stalls for seconds must not fail a change. Failing twice does.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: process.env.CI ? ['dot'] : ['default'],
  },
});
