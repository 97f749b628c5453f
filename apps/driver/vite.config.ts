import { precompress } from '@navette/ui/precompress';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import { version } from './package.json' with { type: 'json' };

const DEFAULT_API = 'http://127.0.0.1:3000'; // `npx navette serve`

export default defineConfig(({ mode }) => ({
  base: '/driver/',
  plugins: [react(), precompress()],
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }] } },
    },
  },
  server: {
    port: 5174,
    strictPort: true,
    proxy: passOn(loadEnv(mode, import.meta.dirname, 'NAVETTE_').NAVETTE_API ?? DEFAULT_API),
  },
}));

/** Everything but the web app itself comes from the service, so that one address serves all pages. */
function passOn(target: string) {
  return {
    '^/driver/(api/|docs|openapi.json|socket.io)': { target, ws: true },
    '^/(?!driver(/|$))': target,
  };
}
