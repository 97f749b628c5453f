import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { openBrowser } from '../browser.ts';
import { DESKTOP, openWindow, PHONE, type Tab } from '../window.ts';
import { SITE_PATHS } from './site-paths.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = [
  { colorScheme: 'light', viewport: DESKTOP },
  { colorScheme: 'dark', viewport: PHONE },
] as const;
const TABLET = { width: 820, height: 1180 };
const SMALL = { width: 320, height: 640 };

let server: TestServer;
let browser: Browser;
let tab: Tab;
beforeAll(async () => {
  server = await startTestServer();
  browser = await openBrowser();
  // Injects axe outside of the page, so that the real CSP is tested.
  tab = await openWindow(browser, `${server.url}/docs/en/`, null, { bypassCSP: true });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('every page of the site', () => {
  test.each(SITE_PATHS)('%s: axe finds nothing, nothing scrolls sideways, the console is silent', async (path) => {
    const { page, seen } = tab;
    seen.complaints.length = 0;
    seen.requests.length = 0;
    await page.goto(`${server.url}${path}`);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.evaluate(AXE);
    for (const { colorScheme, viewport } of SCREENS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
    }
    for (const viewport of [SMALL, PHONE, TABLET, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    }
    expect(seen.complaints).toEqual([]);
    expect(seen.requests.filter((url) => /^http/.test(url) && !url.startsWith(server.url))).toEqual([]);
  });
});
