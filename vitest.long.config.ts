import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,dashboard}/**/*.long.test.ts'],
    globalSetup: ['server/tests/cluster.ts'],
    pool: 'forks',
    execArgv: ['--initial-old-space-size=128'],
    maxWorkers: 1,
    testTimeout: 3_000_000,
    // What a page shows comes when the machine has time for it.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 3_000_000,
  },
});
