import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../server/test/free-port.ts';
import { shipmentRequest } from '../server/test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../server/test/test-server.ts';
import { openBrowser } from './browser.ts';

let server: TestServer;
let browser: Browser;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ PORT: String(await freePort()) }); // the reference contains the address
  shop = await server.createAccount({ paymentMode: 'deferred' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

interface Opened {
  page: Page;
  /** Requests to other hosts. */
  elsewhere: string[];
  /** Errors and warnings of the page, including violations of its policy. */
  complaints: string[];
}

async function open(path: string): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const [elsewhere, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && request.url().startsWith('http')) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${server.url}${path}`);
  await page.getByText('Bearer Token').waitFor();
  return { page, elsewhere, complaints };
}

/** Enters the key, and opens the form that sends a request. */
async function tryOperation(page: Page, anchor: string, button: RegExp): Promise<void> {
  await page.getByPlaceholder('Token').first().fill(shop.key);
  await page.locator('input[placeholder^="QUx"]').first().fill(shop.clientId);
  await page.goto(`${server.url}/docs/#${anchor}`);
  await page.getByRole('button', { name: button }).first().click();
}

async function answerTo(page: Page, path: string): Promise<number> {
  const answer = page.waitForResponse((response) => response.url().endsWith(path));
  await page.getByRole('button', { name: /^Send/ }).last().click();
  return (await answer).status();
}

describe('the reference at /docs', () => {
  test('a reader sends a real request with their own key and sees the response', async () => {
    const { page, elsewhere, complaints } = await open('/docs/');
    await tryOperation(page, 'tag/account/GET/shipping/auth/test', /Test Request.*auth\/test/);
    expect(await answerTo(page, '/pro/api/v1/shipping/auth/test')).toBe(200);
    await page.getByText(shop.clientId).last().waitFor();
    expect(elsewhere).toStrictEqual([]);
    expect(complaints).toStrictEqual([]);
  });

  test('a PDF response is shown', async () => {
    await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    const { page, complaints } = await open('/docs/');
    await tryOperation(page, 'tag/labels/POST/shipping/pdf/export', /Test Request.*pdf\/export/);
    await page.locator('.cm-content[contenteditable=true]').last().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{"scope":"filtered"}');
    expect(await answerTo(page, '/pro/api/v1/shipping/pdf/export')).toBe(200);
    await page.locator('iframe[src^="blob:"], object[data^="blob:"]').waitFor();
    expect(complaints).toStrictEqual([]);
  });

  test('a script that is not the page’s own does not run, and nothing is sent to another host', async () => {
    const { page, elsewhere, complaints } = await open('/docs/');
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "injected"';
      document.head.append(script);
    `);
    await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => null));
    expect(await page.title()).toBe('Navette API');
    expect(elsewhere).toStrictEqual([]);
    expect(complaints.join('\n')).toMatch(/script-src/);
    expect(complaints.join('\n')).toMatch(/connect-src/);
  });
});

test('the drivers’ reference is shown as its policy allows', async () => {
  const { page, elsewhere, complaints } = await open('/driver/docs/');
  await page.getByRole('heading', { name: 'Navette driver API' }).waitFor();
  expect(elsewhere).toStrictEqual([]);
  expect(complaints).toStrictEqual([]);
});
