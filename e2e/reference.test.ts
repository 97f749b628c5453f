import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server/test/test-server.ts';
import { openBrowser } from './browser.ts';

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  const port = String(20_000 + (process.pid % 10_000)); // the reference must know the server's address beforehand
  server = await startTestServer({ PORT: port });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the reference at /docs', () => {
  test('a reader sends a real request with their own key and sees the answer', async () => {
    const shop = await server.createAccount({ minimumPrice: 8.5, pricePerKg: null });
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && request.url().startsWith('http')) elsewhere.push(request.url());
    });
    await page.goto(`${server.url}/docs/`);
    await page.getByText('Bearer Token').waitFor();
    const [token, clientId] = [
      page.getByPlaceholder('Token').first(),
      page.locator('input[placeholder^="QUx"]').first(),
    ];
    await token.fill(shop.key);
    await clientId.fill(shop.clientId);

    await page.goto(`${server.url}/docs/#tag/account/GET/shipping/auth/test`);
    await page
      .getByRole('button', { name: /Test Request.*auth\/test/ })
      .first()
      .click();
    const answer = page.waitForResponse((response) => response.url().endsWith('/pro/api/v1/shipping/auth/test'));
    await page.getByRole('button', { name: /^Send/ }).last().click();
    expect((await answer).status()).toBe(200);
    await page.getByText(shop.clientId).last().waitFor();
    expect(elsewhere).toStrictEqual([]);
  });
});
