import react from '@vitejs/plugin-react';
import { type ConfigEnv, loadEnv, type UserConfig } from 'vite';
import { precompress } from './precompress.ts';

const DEFAULT_API = 'http://127.0.0.1:3000'; // `npx navette serve`

const FRAME = /(apps\/ui\/src\/(?!i18n|pages|search)|src\/(api|layout|session|shared)\/|contract\/src\/limits)/;

/** Loaded by pages with a form. The first page of a day shows a list. */
const FORMS =
  /@mantine\/form|react-number-format|components\/(Number|Password)Input|apps\/ui\/src\/parts\/(euro-input|password-field|use-submit)/;

/** Components of single pages and dialogs, which the first page of a day does not show. */
const LATER = /components\/(Accordion|ActionBar|DataList|Grid|List|Radio|Tabs|Textarea|Timeline)\//;

interface WebApp {
  /** Its folder below apps/, and its URL path. */
  name: string;
  folder: string;
  /** Of its development server. */
  port: number;
  /** Code of so many pages is in one file, which each page loads; code of fewer is in files of its own. */
  sharedBy?: number;
}

/** The build of a Mantine app, and its development server. */
export const webAppConfig =
  ({ name, folder, port, sharedBy = 2 }: WebApp) =>
  ({ mode }: ConfigEnv): UserConfig => ({
    base: `/${name}/`,
    plugins: [react(), precompress()],
    // The server replaces this placeholder in index.html on every response (server/src/http/web-app.ts).
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      target: 'es2023',
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_200, // the tests of the first load check the budget in a browser
      rolldownOptions: {
        // Few files: shared code is loaded once and cached; each page adds one more file.
        output: {
          codeSplitting: {
            groups: [
              // Used by one page only, and larger than everything else together.
              {
                name: 'map',
                test: /node_modules\/(maplibre-gl|pmtiles|fflate|(@socket|socket|engine)\.io)/,
                priority: 1,
              },
              // A library that one page alone uses is loaded with that page.
              {
                name: 'libraries',
                test: (id) => /node_modules/.test(id) && !FORMS.test(id) && !LATER.test(id),
                minShareCount: 2,
              },
              { name: 'frame', test: (id) => FRAME.test(id) && !FORMS.test(id) },
              { name: 'forms', test: FORMS },
              { name: 'shared-by-pages', test: /src\/(?!i18n)/, minShareCount: sharedBy },
            ],
          },
        },
      },
    },
    server: {
      port,
      strictPort: true,
      proxy: passOn(name, loadEnv(mode, folder, 'NAVETTE_').NAVETTE_API ?? DEFAULT_API),
    },
  });

/**
 * Everything but the web app itself comes from the service, so that one address serves all pages. The API sees the host of
 * the page, without which it would refuse the page's origin.
 */
function passOn(name: string, target: string) {
  return {
    [`^/${name}/(api/|openapi.json)`]: { target, changeOrigin: false },
    [`^/(?!${name}(/|$))`]: { target, ws: true },
  };
}
