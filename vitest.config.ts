import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './server/test/compile-cache.ts';

Object.assign(process.env, COMPILE_CACHE); // processes that run tests inherit it

/** The suffix of a test file names its tier, and `mocked` belongs to integration; CONTRIBUTING.md, "Tests", describes them. */
const SUFFIXES = ['unit', 'mocked', 'browser', 'faults', 'long'];

const FOLDERS = '{contract,server,apps,deploy,e2e,demo,sdk,cli,emulator,site,tools}';
const NO_ENGINE = { DATABASE_URL: 'postgres://127.0.0.1:1/no_engine', REDIS_URL: 'redis://127.0.0.1:1' };
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000 }; // a busy machine is no reason to fail
const WITH_ENGINES = { ...PATIENT, globalSetup: ['server/test/prepare-engines.ts'] };

export default defineConfig({
  test: {
    maxWorkers: 4, // on two cores: many tests wait for a delay of the contract, or for a process that starts
    experimental: { viteModuleRunner: false }, // Node runs the modules, as it does in production
    projects: [
      // A unit test that opens an engine fails: nothing listens on port 1. Without `isolate` one process runs many files:
      // loading the service again for each of them took a third of the time.
      { test: { name: 'unit', include: filesOf('unit'), env: NO_ENGINE, isolate: false, ...PATIENT } },
      {
        test: {
          name: 'integration',
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: suffixed(),
          isolate: false,
          ...WITH_ENGINES,
        },
      },
      // A module can be replaced only in a process that has not loaded it yet.
      { test: { name: 'integration_mocked', include: filesOf('mocked'), ...WITH_ENGINES } },
      // After the others, two at a time: with a third browser on two cores some pages were not ready in four minutes.
      {
        test: {
          name: 'browser',
          include: filesOf('browser'),
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...WITH_ENGINES,
        },
      },
      { test: { name: 'faults', include: filesOf('faults'), ...WITH_ENGINES } },
      { test: { name: 'long', include: filesOf('long'), ...WITH_ENGINES } },
    ],
  },
});

function filesOf(tier: string): string[] {
  return [`${FOLDERS}/**/*.${tier}.test.ts`];
}

function suffixed(): string[] {
  return ['**/node_modules/**', ...SUFFIXES.flatMap(filesOf)];
}
