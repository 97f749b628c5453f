import type { BrowserContext, Page } from 'playwright-core';
import { type MockData, mockApi } from './mock-api.ts';
import { type DriverPage, dataOf } from './pages.ts';
import type { PhoneOptions, Stage } from './stage.ts';

/** A phone that shows one page after the other, with responses from mock-api.ts. */
export interface Showing {
  page: Page;
  complaints: string[];
  show: (entry: DriverPage) => Promise<void>;
  close: () => Promise<void>;
}

export async function openShowing(stage: Stage, options: PhoneOptions): Promise<Showing> {
  let data: MockData | null = null;
  let isOffline = false;
  const phone = await stage.open('/outbox', { serviceWorkers: 'block', ...options });
  const { context, page, complaints, close } = phone;
  await mockApi(context, () => (isOffline ? null : (data ?? dataOf({ name: '', path: '' }))));

  async function show(entry: DriverPage): Promise<void> {
    data = dataOf(entry);
    isOffline = false;
    await context.setOffline(false);
    await page.goto('about:blank');
    await clearStored(stage, context, entry.isSignedOut === true);
    await page.goto(`${stage.server.url}/driver${entry.path}`);
    await page.locator('h1').waitFor();
    await page
      .locator(entry.shows ?? 'h1')
      .first()
      .waitFor();
    await isLoaded(page);
    isOffline = entry.isOffline === true;
    if (isOffline) await context.setOffline(true);
    await entry.act?.(page);
    await isLoaded(page);
    await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
  }
  return { page, complaints, show, close };
}

/** Placeholders of pages, lists and amounts are marked as busy. */
async function isLoaded(page: Page): Promise<void> {
  await page.waitForFunction(`document.querySelector('h1') && !document.querySelector('[aria-busy="true"]')`);
}

/** Empties the phone's database and signs in again, in a page of its own, so that pages do not depend on each other. */
async function clearStored(stage: Stage, context: BrowserContext, isSignedOut: boolean): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${stage.server.url}/driver/icon.svg`);
  await page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.deleteDatabase('navette-driver');
    request.onsuccess = request.onerror = request.onblocked = resolve;
  })`);
  if (!isSignedOut) {
    await page.goto(`${stage.server.url}/driver/`);
    await page.locator('input[type=email]').fill('yacine@drivers.example');
    await page.locator('input[name=password]').fill('anything at all');
    await page.locator('button[type=submit]').click();
    await page.locator('.menu, .offer, .start-step').first().waitFor();
  }
  await page.close();
}
