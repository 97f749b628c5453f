import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signReference } from '../server/src/features/shipments/index.ts';
import { factsOf } from '../server/test/dispatched.ts';
import { moveShipment } from '../server/test/move-shipment.ts';
import { shipmentRequest } from '../server/test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../server/test/test-server.ts';
import { openBrowser } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { width: 360, height: 640 };
const DRIVER = randomUUIDv7();

let server: TestServer;
let browser: Browser;
let shop: TestAccount;
beforeAll(async () => {
  const positionFor = async () => ({ latitude: 48.8591, longitude: 2.3431, at: new Date() });
  server = await startTestServer({}, { livePositions: { positionFor } });
  browser = await openBrowser();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  await addDriver(DRIVER, 'Yacine');
});
const addDriver = (id: string, firstName: string) =>
  server.db
    .insertInto('drivers')
    .values({ id, first_name: firstName, last_name: 'Benali', phone_number: '+33611111111' })
    .execute();
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

type Trigger = Parameters<typeof moveShipment>[3];
const WAY: Record<ShipmentStatus, Trigger[]> = {
  programmed: [],
  created: [],
  assigned: ['assign'],
  picked_up: ['assign', 'pick_up'],
  in_transit: ['assign', 'pick_up', 'depart'],
  delivered: ['assign', 'pick_up', 'depart', 'deliver'],
  cancelled: ['assign', 'cancel'],
};
async function createIn(status: ShipmentStatus, changes = {}, driverId: string = DRIVER) {
  const slot = status === 'programmed' ? { scheduledDate: '2031-03-05', timeSlot: '14h-16h' } : {};
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest({ ...slot, ...changes }) });
  const { _id: id, referenceNumber } = body.shipping;
  const move = async (...triggers: Trigger[]) => {
    for (const trigger of triggers) await moveShipment(server, shop, id, trigger, { driverId });
  };
  await move(...WAY[status]);
  const link = (purpose: 'track' | 'collect') =>
    `${server.url}/t/${signReference(server.config.linkSecrets, purpose, referenceNumber)}`;
  const { code } = await factsOf(server, id);
  return { move, code, track: link('track'), collect: link('collect') };
}

/** A phone that records its requests, errors and warnings. */
async function withPhone(
  options: BrowserContextOptions,
  visit: (page: Page, seen: { requests: string[]; complaints: string[] }) => Promise<void>,
) {
  const context = await browser.newContext({ viewport: PHONE, locale: 'fr-FR', ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(240_000);
    const seen = { requests: [] as string[], complaints: [] as string[] };
    page.on('request', (request) => seen.requests.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') seen.complaints.push(message.text());
    });
    page.on('pageerror', (error) => seen.complaints.push(error.message));
    await visit(page, seen);
  } finally {
    await context.close();
  }
}

describe('the recipient’s page', () => {
  test('in every status, both languages and both colours: no axe findings, no requests to other hosts, no horizontal scrolling', async () => {
    const links = await Promise.all(SHIPMENT_STATUSES.map(async (status) => (await createIn(status)).track));
    const collection = await createIn('assigned', {
      isCollection: true,
      collectionContact: { phoneNumber: '+33698765432', email: 'lea@example.org' },
    });
    for (const [locale, colorScheme] of [
      ['fr-FR', 'light'], // colours and texts are independent: two of the four pairs cover all
      ['en-GB', 'dark'],
    ] as const) {
      // axe is injected past the content policy: allowing it in the policy would leave the policy untested.
      await withPhone(
        { locale, colorScheme, bypassCSP: true, reducedMotion: 'reduce' },
        async (page, { requests, complaints }) => {
          for (const link of [...links, collection.collect, `${server.url}/t/wrong`]) {
            await page.goto(link);
            if (await page.locator('summary').count()) await page.locator('summary').click();
            await page.evaluate(AXE);
            const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
            expect(violations.map(({ id, impact, nodes }) => `${link} ${id} ${impact} ${nodes[0]?.html}`)).toEqual([]);
            expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
          }
          expect(requests.filter((url) => !url.startsWith(`${server.url}/t/`) && !url.startsWith('data:'))).toEqual([]);
          expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
        },
      );
    }
  });

  test('fits the smallest phone and the largest font size', async () => {
    const { track } = await createIn('in_transit');
    await withPhone({ viewport: { width: 280, height: 500 }, bypassCSP: true }, async (page) => {
      await page.goto(track);
      await page.addStyleTag({ content: 'body,.soft,.strong,footer,.steps time{font-size:28px!important}' });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(280);
    });
  });

  test('updates by itself, keeps the opened code, and notifies screen readers', async () => {
    const { track, code, move } = await createIn('assigned');
    await withPhone({}, async (page, { requests, complaints }) => {
      await page.clock.install();
      await page.goto(track);
      await page.getByRole('heading', { name: 'Yacine va chercher votre colis' }).waitFor();
      expect(await page.locator('#code').getByText(code.slice(0, 3)).isVisible()).toBe(false);
      await page.getByText('Afficher le code').click();
      await page.locator('#code').getByText(code.slice(0, 3)).waitFor();

      await move('pick_up', 'depart');
      await page.clock.runFor(21_000);
      await page.getByRole('heading', { name: 'Yacine est en route' }).waitFor();
      expect(await page.locator('#code').getByText(code.slice(0, 3)).isVisible()).toBe(true);
      expect(await page.locator('#status').textContent()).toBe('Yacine est en route');
      await page.getByRole('img', { name: 'Yacine, à 800 m' }).waitFor();

      await move('deliver');
      await page.clock.runFor(11_000);
      await page.getByRole('heading', { name: 'Votre colis est livré' }).waitFor();
      expect(await page.content()).not.toContain(`${code.slice(0, 3)}<b>`);
      const asked = requests.length;
      await page.clock.runFor(600_000);
      expect(requests.length).toBe(asked); // after the end, an open page sends no requests
      expect(complaints).toEqual([]); // the policy allows the page's own style and script
    });
  });

  test('closes the form for the note by itself once the driver may be near, and keeps what was saved', async () => {
    // A driver without other parcels and without a known place has no estimate, and may have arrived.
    const driverId = randomUUIDv7();
    await addDriver(driverId, 'Lina');
    const withoutPlace = { pickupAddress: { street: '3 quai de la Gare', city: 'Lyon', postalCode: '69002' } };
    const { track, move } = await createIn('assigned', withoutPlace, driverId);
    await withPhone({}, async (page) => {
      await page.clock.install();
      await page.goto(track);
      await page.getByLabel('Un mot pour le livreur').fill('Code 12A');
      await page.getByRole('button', { name: 'Enregistrer' }).click();
      await page.getByLabel('Un mot pour le livreur').fill('Code 12A, et sonner');
      await move('pick_up');
      await page.clock.runFor(21_000);
      await page.getByRole('heading', { name: 'Lina a pris en charge votre colis' }).waitFor();
      expect(await page.getByLabel('Un mot pour le livreur').inputValue()).toBe('Code 12A, et sonner');
      await move('depart');
      await page.clock.runFor(21_000);
      await page.getByText('ce mot ne peut plus être modifié').waitFor();
      expect(await page.getByRole('button', { name: 'Enregistrer' }).isVisible()).toBe(false);
      expect(await page.locator('#live').getByText('Code 12A', { exact: true }).isVisible()).toBe(true);
    });
  });

  test('takes a report after the delivery without JavaScript', async () => {
    const { track } = await createIn('delivered');
    await withPhone({ javaScriptEnabled: false, locale: 'en-GB' }, async (page) => {
      await page.goto(track);
      await page.getByText('Report a problem').click();
      await page.getByLabel('Something is missing').check();
      await page.getByLabel('Tell us more in a few words').fill('One of two boxes');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Our team is looking into it').waitFor();
      expect(await page.getByText('Report a problem').count()).toBe(0);
    });
  });

  test('shows that the network is unavailable, keeps the last state, and recovers', async () => {
    const { track, move } = await createIn('assigned');
    await withPhone({}, async (page) => {
      await page.clock.install();
      await page.goto(track);
      const note = page.getByText('Pas de réseau');
      await page.context().setOffline(true);
      for (let i = 0; i < 3; i++) await page.clock.runFor(21_000);
      await note.waitFor();
      expect(await page.getByRole('heading', { name: 'Yacine va chercher votre colis' }).isVisible()).toBe(true);
      await move('pick_up');
      await page.context().setOffline(false); // the browser notifies the page
      await page.getByRole('heading', { name: 'Yacine a pris en charge votre colis' }).waitFor();
      await note.waitFor({ state: 'hidden' });
    });
  });

  test('works without JavaScript: the code opens, a note is saved, the language changes, and reloading shows changes', async () => {
    const { track, code, move } = await createIn('assigned');
    await withPhone({ javaScriptEnabled: false }, async (page) => {
      await page.goto(track);
      await page.getByText('Afficher le code').click();
      await page.locator('#code').getByText(code.slice(0, 3)).waitFor();
      await page.getByRole('link', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Yacine is going to pick up your parcel' }).waitFor();
      expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('120'); // time to type a note
      await page.getByLabel('A note for the driver').fill('Third floor');
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await page.getByLabel('A note for the driver').inputValue()).toBe('Third floor');
      await move('pick_up');
      await page.reload();
      await page.getByRole('heading', { name: 'Yacine has picked up your parcel' }).waitFor();
    });
  });
});
