/**
 * Takes pictures of every page of the documentation in light and dark, on a desktop and a phone, into var/gallery/site.
 * `npm run gallery:site -- webhooks` takes those of one page.
 */
import { mkdirSync } from 'node:fs';
import { readConfig } from '../../server/src/config.ts';
import { serveDocumentation } from '../../server/src/http/documentation.ts';
import { createHttpServer } from '../../server/src/http/server.ts';
import { createLog } from '../../server/src/observability/create-log.ts';
import { openBrowser } from '../browser.ts';
import { DESKTOP, PHONE } from '../window.ts';
import { SITE_PATHS } from './site-paths.ts';

const folder = new URL('../../var/gallery/site/', import.meta.url).pathname;
const [wanted = ''] = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
const app = createHttpServer(readConfig(), createLog('silent'));
serveDocumentation(app, { publicUrl: 'https://api.example.org' });
const url = await app.listen({ host: '127.0.0.1', port: 0 });
const browser = await openBrowser();
for (const path of SITE_PATHS.filter((one) => one.includes(wanted))) {
  for (const [screen, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(`${url}${path}`);
      const name = path.replace(/^\/docs\//, '').replaceAll('/', '-') || 'home';
      await page.screenshot({ path: `${folder}${name}-${screen}-${colorScheme}.png`, fullPage: true });
      await page.close();
    }
  }
}
await browser.close();
await app.close();
