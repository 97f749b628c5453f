import { defineConfig } from 'vitest/config';

/** The suffix of a test file names its tier; CONTRIBUTING.md, "Tests", describes them. */
const TIERS = ['unit', 'browser', 'faults', 'long'];

const FOLDERS = '{contract,server,apps,deploy,e2e,demo,sdk,tools}';
const NO_ENGINE = { DATABASE_URL: 'postgres://127.0.0.1:1/no_engine', REDIS_URL: 'redis://127.0.0.1:1' };
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000 }; // a busy machine is no reason to fail
const WITH_ENGINES = { ...PATIENT, globalSetup: ['server/test/prepare-engines.ts'] };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // A unit test that opens an engine fails: nothing listens on port 1. One process runs many files, which is quicker.
      { test: { name: 'unit', include: filesOf('unit'), env: NO_ENGINE, isolate: false, ...PATIENT } },
      {
        test: {
          name: 'integration',
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: suffixed(),
          ...WITH_ENGINES,
        },
      },
      { test: { name: 'browser', include: filesOf('browser'), ...WITH_ENGINES } },
      { test: { name: 'faults', include: filesOf('faults'), ...WITH_ENGINES } },
      { test: { name: 'long', include: filesOf('long'), ...WITH_ENGINES } },
    ],
  },
});

function filesOf(tier: string): string[] {
  return [`${FOLDERS}/**/*.${tier}.test.ts`];
}

function suffixed(): string[] {
  return ['**/node_modules/**', ...TIERS.flatMap(filesOf)];
}
