import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { closeSampleMonths } from '../../server/test/invoicing.ts';
import { textOfPages } from '../../server/test/pdf-tools.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

async function openShop(): Promise<TestAccount> {
  const shop = await stage.server.createAccount({ minimumPrice: 8.5 });
  await addCredit(stage.server.db, shop.id, 5_000, 'Virement');
  return shop;
}

describe('the account', () => {
  test('without a pickup address shows it, accepts one with coordinates if geocoding fails, and can then ship', async () => {
    const shop = await openShop();
    await stage.server.db.deleteFrom('pickup_addresses').where('account_id', '=', shop.id).execute();
    const create = () => stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    expect((await create()).body.error).toBe('PICKUP_ADDRESS_REQUIRED');

    const { page, seen, close } = await stage.open('/account', await stage.member(shop.id, 'operations'));
    await page.getByText('Non, pas pour l’instant').waitFor();
    expect(await page.getByText('PICKUP_ADDRESS_REQUIRED').count()).toBe(0); // shown to developers only
    await page.getByRole('button', { name: 'Ajouter l’adresse' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Numéro et rue').fill('3 chemin du Phare');
    await dialog.getByLabel('Code postal').fill('00000');
    await dialog.getByLabel('Ville').fill('Nulle-Part-sur-Mer');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await dialog.getByText('Adresse introuvable sur la carte').waitFor();
    await dialog.getByLabel('Latitude').fill('48,8566');
    await dialog.getByLabel('Longitude').fill('2,3522');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('3 chemin du Phare').waitFor();
    await page.getByText('Non, pas pour l’instant').waitFor({ state: 'hidden' });
    expect((await create()).status).toBe(201);
    expect(seen.complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
    await close();
  });

  test('has a ledger that links to shipments and exports as CSV', async () => {
    const shop = await openShop();
    const { body } = await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
    const { page, close } = await stage.open('/account/ledger', await stage.member(shop.id, 'read-only'));
    await page.getByText('41,50').first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Exporter en CSV' }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file.trimEnd().split('\r\n')).toHaveLength(3);
    expect(file).toContain(body.shipping.referenceNumber);
    await page.getByRole('link', { name: body.shipping.referenceNumber }).first().click();
    await page.waitForURL(`**/shipments/${body.shipping._id}`);
    await close();
  });
});

describe('invoices', () => {
  test('an owner enters the billing details, then downloads invoice, statement and details', async () => {
    const shop = await stage.server.createAccount();
    const [first = ''] = await closeSampleMonths(stage.server.db, shop.id);
    const { page, seen, close } = await stage.open('/account', await stage.member(shop.id, 'owner'));
    await page.getByLabel('Raison sociale').fill('Fleurs SARL');
    const billing = page.locator('form').filter({ has: page.getByLabel('Raison sociale') });
    await page.getByLabel('SIREN').fill('552 100');
    await billing.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText('Neuf chiffres').waitFor();
    await page.getByLabel('SIREN').fill('552 100 554');
    await billing.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText('Coordonnées de facturation enregistrées').waitFor();

    await page.getByRole('link', { name: 'Factures' }).first().click();
    await page.getByRole('heading', { name: 'septembre 2026' }).waitFor();
    const download = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
      return readFile(await file.path());
    };
    expect((await textOfPages(await download(`Télécharger ${first}`))).join(' ')).toContain('20,00 €');
    expect((await textOfPages(await download('Relevé PDF, septembre 2026'))).join(' ')).toContain('Fleurs SARL');
    expect((await download('Détail CSV, octobre 2026')).toString().trimEnd().split('\r\n')).toHaveLength(3);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('without any, the page says when the first one comes', async () => {
    const shop = await stage.server.createAccount();
    const { page, close } = await stage.open('/account/invoices', await stage.member(shop.id, 'read-only'));
    await page.getByText('Aucune facture pour l’instant').waitFor();
    await close();
  });
});

describe('the layout', () => {
  test('keeps the chosen language and theme after a reload', async () => {
    const { page, seen, close } = await stage.open('/', await stage.member((await openShop()).id));
    await page.getByRole('heading', { name: 'Vue d’ensemble' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.title()).toBe('Overview · Navette');
    expect(seen.complaints).toEqual([]); // the real CSP allows all of it
    await close();
  });

  test('is usable by keyboard: the first focus stop skips the navigation', async () => {
    const { page, close } = await stage.open('/', await stage.member((await openShop()).id));
    await page.getByRole('heading', { name: 'Vue d’ensemble' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('page');
    await close();
  });

  test('shows an error with a retry button, and recovers', async () => {
    const { page, close } = await stage.open('/sign-in', await stage.member((await openShop()).id));
    await page.route('**/dashboard/api/account', (route) => route.fulfill({ status: 403, json: { success: false } }));
    await page.goto(`${stage.server.url}/dashboard/account`);
    const retry = page.getByRole('alert').getByRole('button', { name: 'Réessayer' });
    await retry.waitFor();
    await page.unroute('**/dashboard/api/account');
    await retry.click();
    await page.getByRole('heading', { name: 'Tarifs', exact: true }).waitFor();
    await close();
  });
});
