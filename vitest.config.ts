import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['server/test/prepare-engines.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
