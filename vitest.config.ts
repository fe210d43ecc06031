import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,sdk,dashboard}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.long.test.ts'],
    globalSetup: ['server/tests/cluster.ts'],
    pool: 'forks',
    // One more than there should be processors: tests of a service wait a third of their time.
    maxWorkers: 3,
    testTimeout: 300_000,
    // What a page shows comes when the machine has time for it.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 300_000,
  },
});
