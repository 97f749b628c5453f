import { defineConfig } from 'vitest/config';

/** The gallery needs what tests need, a database of its own, and is none: nothing is judged. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['e2e/driver/gallery.ts'],
    globalSetup: ['server/test/prepare-engines.ts'],
    hookTimeout: 60_000,
  },
});
