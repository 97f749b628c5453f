import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vite';

const DIST = join(import.meta.dirname, 'dist');
const NOT_STORED = /\.(br|gz|wasm|map)$|^service-worker\.js$|^index\.html$/; // WebAssembly is stored on its first use

/** Builds the service worker, after the app: it contains the list of the app's files. */
export default defineConfig({
  publicDir: false,
  plugins: [{ name: 'list-files', config: defineFiles }],
  build: {
    target: 'es2023',
    emptyOutDir: false,
    outDir: DIST,
    reportCompressedSize: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'service-worker/service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
});

/** When Vite builds, not when this file is loaded: other tools load it without a build. */
function defineFiles(): UserConfig {
  const files = listFiles();
  return {
    define: {
      __FILES__: JSON.stringify(files.map((file) => `/driver/${file}`)),
      __VERSION__: JSON.stringify(hashOf([...files, 'index.html'])),
    },
  };
}

function listFiles(): string[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\w+$/.test(file) && !NOT_STORED.test(file))
    .toSorted();
}

/** Changes with every file, so that a browser notices each new version. */
function hashOf(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(DIST, file)));
  return hash.digest('hex').slice(0, 12);
}
