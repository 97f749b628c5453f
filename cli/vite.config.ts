import { defineConfig } from 'vite';

/** One file without dependencies: the parts of the SDK that it uses are in it, so `npx` downloads one small package. */
export default defineConfig({
  build: {
    ssr: 'src/navette-cli.ts',
    target: 'node20',
    rolldownOptions: { output: { banner: '#!/usr/bin/env node', entryFileNames: 'navette-cli.js' } },
  },
});
