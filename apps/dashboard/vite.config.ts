import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const API = 'http://127.0.0.1:3000'; // `npx navette serve`

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), precompress()],
  // The server replaces it in index.html at each answer (http/serve-dashboard-files.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000, // the budget is tested as a browser meets it: e2e/dashboard/first-load.test.ts
    rolldownOptions: {
      // Few files: what pages share comes once and stays in the browser's cache, a page of its own is one more.
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/ },
            { name: 'frame', test: /src\/(api|layout|session|shared)\// },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/dashboard/api': API, '/dashboard/openapi.json': API, '/pdfs': API },
  },
});
