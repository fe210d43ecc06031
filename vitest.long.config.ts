import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/**/*.long.test.ts'],
    globalSetup: ['server/tests/cluster.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 3_000_000,
    hookTimeout: 3_000_000,
  },
});
