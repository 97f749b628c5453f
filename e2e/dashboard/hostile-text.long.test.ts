import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

// Each would set `window.ran` if it were executed.
const HOSTILE = [
  '<script>window.ran=1</script>',
  '"><img src=x onerror="window.ran=1">',
  'javascript:window.ran=1',
  '{{constructor.constructor("window.ran=1")()}}',
];
const everywhere = HOSTILE.join(' ');

const hostileShipment = shipmentRequest({
  deliveryAddress: {
    ...shipmentRequest().deliveryAddress,
    recipientName: everywhere,
    street: everywhere,
    city: everywhere,
    phoneNumber: HOSTILE[2] ?? '',
    postalCode: '"><svg/onload=1>',
  },
  parcelDetails: { weight: 1, nature: everywhere },
  pickupAddress: { street: everywhere, city: everywhere, postalCode: '75001' },
  externalReference: { orderId: everywhere, shopDomain: 'javascript:window.ran=1' },
  groupReference: '"><img src=x onerror="window.ran=1">',
  metadata: { '<script>window.ran=1</script>': everywhere, url: 'javascript:window.ran=1' },
  notes: everywhere,
});

/** Checks everything on the page that could execute it. */
async function expectHarmless(page: Page) {
  await page.getByText('<script>').first().waitFor(); // displayed as text
  const links = (await page.evaluate("[...document.querySelectorAll('a')].map((link) => link.protocol)")) as string[];
  expect(links.filter((protocol) => !['http:', 'tel:', 'mailto:'].includes(protocol))).toEqual([]);
  expect(await page.evaluate('window.ran')).toBeUndefined();
}

test('script in names, notes, references, metadata and imported cells is text on every page, without CSP violations', async () => {
  const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
  const { status, body } = await stage.server.call(shop, 'POST', '/shipping', { body: hostileShipment });
  expect(status).toBe(201);
  const { page, seen, close } = await stage.open('/shipments', await stage.member(shop.id));
  page.on('dialog', (dialog) => {
    seen.complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await expectHarmless(page);

  await page.locator('tbody a').first().click();
  await page.getByRole('heading', { name: 'Métadonnées' }).waitFor();
  await expectHarmless(page);
  await page.getByRole('button', { name: 'Annuler l’envoi' }).click();
  await page.getByLabel('Motif').fill(everywhere);
  await page.getByRole('dialog').getByRole('button', { name: 'Annuler l’envoi' }).click();
  await page.getByText('Motif : <script>').waitFor();
  await expectHarmless(page);

  const csv = ['Nom;"<script>window.ran=1</script>";Poids', `"${everywhere.replaceAll('"', '""')}";x;"${HOSTILE[0]}"`];
  await page.goto(`${stage.server.url}/dashboard/shipments/import`);
  await page.locator('input[type=file]').setInputFiles({
    name: '<script>window.ran=1<script>.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv.join('\n')),
  });
  await page.getByRole('heading', { name: 'Lignes à corriger' }).waitFor();
  await expectHarmless(page);

  await page.goto(`${stage.server.url}/dashboard/shipments?q=${encodeURIComponent(HOSTILE[0] ?? '')}`);
  await page.getByText(body.shipping.referenceNumber).or(page.getByText('Aucun envoi ne correspond')).waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(seen.complaints).toEqual([]);
  await close();
});
