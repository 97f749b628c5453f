import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../server/test/free-port.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { createTwin } from '../../server/test/twin.ts';
import { openBrowser } from '../browser.ts';
import { openWindow, PHONE } from '../window.ts';

let server: TestServer;
let browser: Browser;
let live: TestAccount;
let twin: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ PORT: String(await freePort()) }); // the pages contain the address
  live = await server.createAccount({ paymentMode: 'deferred' });
  twin = await createTwin(server, live);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path: string, options: BrowserContextOptions = {}) =>
  openWindow(browser, `${server.url}/docs${path}`, null, { locale: 'en-GB', ...options });
const elsewhere = (requests: string[]) => requests.filter((url) => /^http/.test(url) && !url.startsWith(server.url));

describe('search', () => {
  test.each([
    ['/en/', '/', 'verify signature', '/docs/en/webhooks#verify-the-signature'],
    ['/fr/sdk', 'Control+k', 'etiquettes plusieurs', '/docs/fr/labels#many-labels'],
    ['/en/errors', '/', 'INSUFFICIENT_BALANCE', '/docs/en/'],
  ])('from %s, by keyboard alone: %s', async (path, key, query, target) => {
    const { page, seen, close } = await open(path);
    await page.keyboard.press(key);
    await page.keyboard.type(query);
    const results = page.getByRole('option');
    await results.first().waitFor();
    expect(await results.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const href = await results.first().getByRole('link').getAttribute('href');
    expect(href).toContain(target);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${href}`);
    expect(elsewhere(seen.requests)).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('Escape closes it and returns the focus', async () => {
    const { page, close } = await open('/en/limits');
    const button = page.getByRole('button', { name: 'Search' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await close();
  });
});

describe('a reader', () => {
  test('gets the language of the browser, and the same page in the other one', async () => {
    const { page, close } = await open('', { locale: 'fr-FR' });
    await page.getByRole('link', { name: 'Mode test' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Mode test' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Test mode' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/en/test-mode');
    await close();
  });

  test('keeps the chosen colours on the next page', async () => {
    const { page, close } = await open('/en/limits', { colorScheme: 'light' });
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    expect(await scheme()).toBe('light dark');
    await page.getByRole('button', { name: 'Light or dark colours' }).click();
    expect(await scheme()).toBe('dark');
    await page.getByRole('link', { name: 'Going live' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Going live' }).waitFor();
    expect(await scheme()).toBe('dark');
    await close();
  });

  test('opens the menu on a phone, without JavaScript too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await open('/en/limits', { viewport: PHONE, javaScriptEnabled });
      const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'PHP client' });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'PHP client' }).waitFor();
      await close();
    }
  });

  test('without JavaScript reads everything, and sees no button that does nothing', async () => {
    const { page, close } = await open('/en/api/rates', { javaScriptEnabled: false });
    expect(await page.getByText('POST', { exact: true }).first().isVisible()).toBe(true);
    for (const name of ['Search', 'Copy', 'Light or dark colours', 'Send request'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await close();
  });

  test('sees a page of the site at an address that does not exist', async () => {
    const { page, close } = await open('/fr/nothing');
    await page.getByRole('heading', { name: 'Cette page n’existe pas' }).waitFor();
    await close();
  });
});

describe('the API reference', () => {
  async function enter(page: Page, { key, clientId }: TestAccount): Promise<void> {
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Client id').fill(clientId);
  }
  async function send(page: Page, operation: string) {
    const form = page.locator(`form[aria-label="Try it: ${operation}"]`);
    await page.locator('details.trial', { has: form }).locator('summary').click();
    await form.getByRole('button', { name: 'Send request' }).click();
    return form.getByRole('status');
  }
  const apiCalls = (requests: string[]) => requests.filter((url) => url.includes('/pro/api/'));

  test('sends a request with a test key and shows the response', async () => {
    const { page, seen, close } = await open('/en/api/account');
    await enter(page, twin);
    const answer = await send(page, 'testCredentials');
    await answer.getByText(/^200 · \d+ ms$/).waitFor();
    expect(await answer.textContent()).toContain(twin.clientId);
    expect(apiCalls(seen.requests)).toEqual([`${server.url}/pro/api/v1/shipping/auth/test`]);
    expect(elsewhere(seen.requests)).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('creates a shipment with the example as it stands', async () => {
    const { page, close } = await open('/en/api/shipments');
    await enter(page, twin);
    const answer = await send(page, 'createShipment');
    await answer.getByText(/^201 · /).waitFor();
    expect(await answer.textContent()).toContain('referenceNumber');
    await close();
  });

  test('offers a PDF response as a file', async () => {
    await server.call(twin, 'POST', '/shipping', { body: shipmentRequest() });
    const { page, seen, close } = await open('/en/api/labels');
    await enter(page, twin);
    await page.locator('form[aria-label="Try it: exportLabels"] textarea').evaluate((element) => {
      (element as HTMLTextAreaElement).value = '{"scope":"filtered"}';
    });
    const answer = await send(page, 'exportLabels');
    const download = page.waitForEvent('download');
    await answer.getByRole('link', { name: 'Save the PDF' }).click();
    expect((await download).suggestedFilename()).toBe('navette.pdf');
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('refuses a live key, a missing key, a missing parameter and a broken body without sending anything', async () => {
    const { page, seen, close } = await open('/en/api/shipments');
    const answer = await send(page, 'createShipment');
    await answer.getByText('Enter a test key').waitFor();
    const form = page.locator('form[aria-label="Try it: createShipment"]');
    const again = () => form.getByRole('button', { name: 'Send request' }).click();
    await enter(page, live);
    await again();
    await answer.getByText('This is not a key of test mode').waitFor();
    await enter(page, twin);
    await form.locator('textarea').fill('{');
    await again();
    await answer.getByText('The body is not valid JSON.').waitFor();
    await (await send(page, 'getShipment')).getByText('Required: id.').waitFor();
    expect(apiCalls(seen.requests)).toEqual([]);
    await close();
  });

  test('forgets the key with the page', async () => {
    const { page, close } = await open('/en/api/account');
    await enter(page, twin);
    const stored = 'JSON.stringify([localStorage, sessionStorage, document.cookie])';
    expect(await page.evaluate(stored)).not.toContain(twin.key);
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await close();
  });

  test('runs no script but its own, and sends nothing to another host', async () => {
    const { page, seen, close } = await open('/en/api/account');
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "injected"';
      document.head.append(script);
    `);
    await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => null));
    expect(await page.title()).toBe('Account – Navette');
    expect(elsewhere(seen.requests)).toEqual([]);
    expect(seen.complaints.join('\n')).toMatch(/script-src/);
    expect(seen.complaints.join('\n')).toMatch(/connect-src/);
    await close();
  });
});

test('the drivers’ reference is shown as its policy allows', async () => {
  const { page, seen, close } = await openWindow(browser, `${server.url}/driver/docs/`, null);
  await page.getByRole('heading', { name: 'Navette driver API' }).waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).first().waitFor();
  expect(elsewhere(seen.requests)).toEqual([]);
  expect(seen.complaints).toEqual([]);
  await close();
});
