import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'apps/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['server/test/prepare-engines.ts'],
    maxWorkers: 2, // most of a test is waiting for PostgreSQL or for another process
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
