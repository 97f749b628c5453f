import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { factsOf, northOfPickup, ship } from '../../server/test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../server/test/driver-app.ts';
import { freePort } from '../../server/test/free-port.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/test-server.ts';
import { startTestWorker } from '../../server/test/test-worker.ts';
import { openProfile, openWholeBrowser } from '../browser.ts';

export const PHONE = { width: 390, height: 844 };
const PASSWORD = 'vélo cargo sous la pluie';
export const PERMISSIONS = ['geolocation', 'notifications', 'camera'];
const WITHIN = { timeout: 240_000, interval: 100 };

export interface Phone {
  context: BrowserContext;
  page: Page;
  /** Console errors, warnings and CSP violations. */
  complaints: string[];
  close: () => Promise<void>;
}

export interface PhoneOptions extends BrowserContextOptions {
  /** Settings of the app, as it stores them; the first start is done unless said otherwise. */
  settings?: Record<string, unknown>;
  browser?: Browser;
  /** A browser of its own, with this environment and its profile in this folder. */
  profile?: { folder: string; environment: Record<string, string> };
}

/** The whole service for tests of the driver app: api, worker, a browser, and a merchant. */
export interface Stage {
  server: TestServer;
  browser: Browser;
  shop: TestAccount;
  driver: (options?: { autoAccept?: boolean; available?: boolean; firstName?: string }) => Promise<TestDriver>;
  /** A phone at a path below /driver. */
  open: (path?: string, options?: PhoneOptions) => Promise<Phone>;
  /** A phone on which the driver is signed in. */
  openAs: (driver: TestDriver, options?: PhoneOptions) => Promise<Phone>;
  /** A shipment that is assigned to the driver. */
  assign: (
    driver: TestDriver,
    changes?: Parameters<typeof ship>[2],
  ) => Promise<{ id: string; referenceNumber: string }>;
  stop: () => Promise<void>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const port = String(await freePort());
  const server = await startTestServer({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...settings });
  const worker = await startTestWorker(server);
  const browser = await openWholeBrowser();
  const drivers: TestDriver[] = [];
  const shop = await server.createAccount({ name: 'Fleurs & Fils' });
  await addCredit(server.db, shop.id, 100_000, 'Virement');

  async function open(path = '/', phone: PhoneOptions = {}): Promise<Phone> {
    const { settings: own, browser: chosen = browser, profile, ...options } = phone;
    const all: BrowserContextOptions = {
      viewport: PHONE,
      locale: 'fr-FR',
      timezoneId: server.config.timeZone, // the month of the earnings is the server's
      reducedMotion: 'reduce',
      hasTouch: true,
      geolocation: { ...northOfPickup(0.5), accuracy: 12 },
      permissions: PERMISSIONS,
      ...options,
    };
    const context = profile
      ? await openProfile(profile.folder, { ...all, environment: profile.environment })
      : await chosen.newContext(all);
    const stored = JSON.stringify({ isPrepared: true, ...own });
    await context.addInitScript(
      `if (!localStorage.getItem('navette-driver-settings')) localStorage.setItem('navette-driver-settings', ${JSON.stringify(stored)})`,
    );
    const page = await context.newPage();
    page.setDefaultTimeout(240_000); // below the test timeout, so that a failure names its line
    const complaints = watch(page);
    await page.goto(`${server.url}/driver${path}`);
    return { context, page, complaints, close: () => context.close() };
  }

  return {
    server,
    browser,
    shop,
    async driver(options = {}) {
      const driver = await createTestDriver(server.db, { password: PASSWORD, available: false, ...options });
      drivers.push(driver);
      return driver;
    },
    open,
    async openAs(driver, options) {
      const phone = await open('/', options);
      await signIn(phone.page, driver);
      return phone;
    },
    async assign(driver, changes) {
      await server.db.updateTable('drivers').set({ auto_accept: true }).where('id', '=', driver.id).execute();
      for (const other of drivers) {
        if (other !== driver) await overHttp(server.url, other)('setAvailability', { available: false });
      }
      const send = overHttp(server.url, driver);
      await send('setAvailability', { available: true });
      await vi.waitFor(async () => {
        if (!(await send('sendPosition', northOfPickup(0.2))).body.kept)
          throw new Error('position too soon after another');
      }, WITHIN);
      const { _id: id, referenceNumber } = await ship(server, shop, changes);
      await vi.waitFor(async () => {
        if ((await factsOf(server, id)).driver !== driver.id) throw new Error('not assigned yet');
      }, WITHIN);
      await server.db.updateTable('drivers').set({ auto_accept: false }).where('id', '=', driver.id).execute();
      return { id, referenceNumber };
    },
    async stop() {
      await browser.close();
      await worker.stop();
      await server.stop();
    },
  };
}

export async function signIn(page: Page, { email }: TestDriver): Promise<void> {
  await page.getByLabel(/Adresse e-mail|Email address/).fill(email);
  await page.getByLabel(/^(Mot de passe|Password)$/).fill(PASSWORD);
  await page.getByRole('button', { name: /^(Se connecter|Sign in)$/ }).click();
  await page.getByLabel(/Adresse e-mail|Email address/).waitFor({ state: 'detached' });
}

/** Waits until the service worker has stored the app: from then on it works without network. */
export async function isStored(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await page.waitForFunction('navigator.serviceWorker.controller !== null');
}

/** Types the recipient's code on the app's keypad. */
export async function typeCode(page: Page, code: string): Promise<void> {
  for (const digit of code) await page.locator('.keypad').getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: /Valider le code|Confirm code/ }).click();
}

/** Waits for a status in the database. */
export async function reaches(server: TestServer, id: string, status: string): Promise<void> {
  await vi.waitFor(async () => {
    const facts = await factsOf(server, id);
    if (facts.status !== status) throw new Error(`${facts.status} instead of ${status}`);
  }, WITHIN);
}

export { factsOf, overHttp, ship };

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  return complaints;
}
