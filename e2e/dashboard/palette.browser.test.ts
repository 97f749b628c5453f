import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { openStage, PHONE, type Stage } from './stage.ts';

let stage: Stage;
let shop: TestAccount;
let shipmentId: string;
beforeAll(async () => {
  stage = await openStage();
  shop = await stage.server.createAccount({ paymentMode: 'deferred' });
  const ship = async (orderId: string, recipientName: string) => {
    const deliveryAddress = { ...shipmentRequest().deliveryAddress, recipientName };
    const body = shipmentRequest({ deliveryAddress, externalReference: { orderId } });
    return (await stage.server.call(shop, 'POST', '/shipping', { body })).body.shipping._id as string;
  };
  shipmentId = await ship('CMD-7001', 'Élodie Béranger');
  await ship('CMD-8002', 'Jean Dupont');
});
afterAll(() => stage?.stop());

const field = (page: Page) => page.getByRole('combobox', { name: 'Page, action ou envoi' });
const option = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name });
async function openPalette(page: Page) {
  await page.keyboard.press('Control+k');
  await field(page).and(page.locator(':focus')).waitFor();
}
const isReady = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

describe('the command palette', () => {
  test('opens a page, an action and a shipment with the keyboard alone', async () => {
    const { page, seen, close } = await stage.open('/', await stage.member(shop.id));
    await isReady(page);
    await openPalette(page);
    await option(page, 'Créer un envoi récurrent').waitFor();
    await page.keyboard.type('mouv');
    await option(page, 'Mouvements').and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/ledger');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await openPalette(page);
    await page.keyboard.type('creer envoi');
    await option(page, 'Créer un envoi récurrent').waitFor();
    await page.keyboard.press('ArrowDown');
    await option(page, 'Créer un envoi récurrent').and(page.locator('[aria-selected="true"]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/recurring/new');

    await openPalette(page);
    await page.keyboard.type('beranger'); // without its accent
    await option(page, /CMD-7001/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor();
    expect(await option(page, /CMD-8002/).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/shipments/${shipmentId}`);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('opens the first result for somebody who types and presses Enter before it has arrived', async () => {
    const { page, close } = await stage.open('/', await stage.member(shop.id));
    await isReady(page);
    await openPalette(page);
    await page.keyboard.type('cmd-7001');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/shipments/${shipmentId}`);
    await close();
  });

  test('finds shipments by order, says when there is none, and gives the focus back', async () => {
    const { page, close } = await stage.open('/team', await stage.member(shop.id));
    await isReady(page);
    const button = page.getByRole('button', { name: 'Rechercher…' });
    await button.focus();
    await page.keyboard.press('Enter');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('cmd-70');
    await option(page, /Élodie Béranger/).waitFor();
    await page.keyboard.type('99');
    await page.getByText('Aucune page, action ni envoi pour « cmd-7099 ».').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    await close();
  });

  test('offers nothing that the role may not open, and searches shipments all the same', async () => {
    const { page, close } = await stage.open('/', await stage.member(shop.id, 'read-only'), { viewport: PHONE });
    await isReady(page);
    await page.getByRole('button', { name: 'Rechercher…' }).click();
    await field(page).and(page.locator(':focus')).waitFor();
    await option(page, 'Vue d’ensemble').waitFor();
    const offered = await page.getByRole('dialog').getByRole('option').allInnerTexts();
    expect(offered).toEqual([
      ...['Vue d’ensemble', 'Envois', 'Envois récurrents', 'Réglages et tarifs', 'Messages', 'Paiements', 'Mouvements'],
      ...['Factures', 'Équipe', 'Notifications', 'Mon profil'],
    ]);
    await page.keyboard.type('CMD-8002');
    await option(page, /Jean Dupont/).click();
    await page.waitForURL('**/shipments/*');
    await close();
  });

  test('does not load its code before it is opened', async () => {
    const { page, seen, close } = await stage.open('/', await stage.member(shop.id));
    await isReady(page);
    const loaded = () => seen.requests.filter((url) => /palette-dialog.*\.js/.test(url)).length;
    expect(loaded()).toBe(0);
    await openPalette(page);
    await option(page, 'Vue d’ensemble').waitFor();
    expect(loaded()).toBe(1);
    await close();
  });
});
