import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { textOfPages } from '../../server/test/pdf-tools.ts';
import { readZpl } from '../../server/test/read-zpl.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { printedBy } from './printed-labels.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

async function ship(shop: TestAccount, orderIds: string[], changes: Parameters<typeof shipmentRequest>[0] = {}) {
  const shippings = orderIds.map((orderId) => shipmentRequest({ externalReference: { orderId }, ...changes }));
  const { body } = await stage.server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  expect(body.created).toBe(orderIds.length);
}

async function chooseFormat(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Format des étiquettes/ }).click();
  await page.getByRole('radio', { name }).check();
}

/** The reference numbers in a file of printer commands. */
async function referencesIn(download: Download): Promise<(string | null)[]> {
  const labels = readZpl(await readFile(await download.path(), 'latin1'));
  return labels.map(
    ({ fields }) => fields.find(({ commands }) => commands.some(([name]) => name === 'BC'))?.data ?? null,
  );
}

describe('labels in the dashboard', () => {
  test('print on a part-used A4 sheet or as ZPL; the format is remembered for the next page', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    await ship(shop, ['CMD-1', 'CMD-2', 'CMD-3']);
    const { page, seen, close } = await stage.open('/shipments', await stage.member(shop.id));
    await page.getByLabel('Sélectionner tous les envois affichés').click();
    await page.getByText('3 sélectionnés').waitFor();

    await chooseFormat(page, 'Feuilles A4');
    await page.getByRole('radio', { name: '3, en bas à gauche' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('3 sélectionnés').waitFor(); // only the choice was closed
    const print = page.getByRole('button', { name: 'Imprimer les étiquettes' });
    const sheets = await printedBy(print);
    expect(sheets.map((text) => text.match(/CMD-\d/g))).toEqual([['CMD-3', 'CMD-2'], ['CMD-1']]);

    await chooseFormat(page, 'Imprimante thermique (ZPL)');
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([page.waitForEvent('download'), print.click()]);
    expect(download.suggestedFilename()).toBe('navette-labels.zpl');
    const { shippings } = (await stage.server.call(shop, 'GET', '/shipping')).body;
    expect(await referencesIn(download)).toEqual(
      shippings.map(({ referenceNumber }: { referenceNumber: string }) => referenceNumber),
    );

    await page.goto(`${stage.server.url}/dashboard/shipments/${shippings[0]._id}`);
    const one = page.getByRole('button', { name: 'Ouvrir et imprimer' });
    const [single] = await Promise.all([page.waitForEvent('download'), one.click()]);
    expect(await referencesIn(single)).toEqual([shippings[0].referenceNumber]);
    await chooseFormat(page, 'Étiquettes 10 × 15 cm');
    await page.keyboard.press('Escape');
    const address = await page.getByRole('link', { name: 'Ouvrir et imprimer' }).getAttribute('href');
    const pdf = await page.request.get(`${stage.server.url}${address}`);
    expect(await textOfPages(await pdf.body())).toHaveLength(1);
    expect(seen.complaints).toEqual([]);
    await close();
  });
});

describe('the list of shipments', () => {
  test('is narrowed to a delivery day and to late ones, ordered by its heads, and kept as a view for the next visit', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    stage.server.setNow(new Date('2031-03-04T08:00:00Z'));
    await ship(shop, ['EXPRESS']);
    await ship(shop, ['LATER'], { scheduledDate: '2031-03-11', timeSlot: '14h-16h' });
    await ship(shop, ['SOON'], { scheduledDate: '2031-03-05', timeSlot: '10h-12h' });
    const member = await stage.member(shop.id);
    const { page, seen, close } = await stage.open('/shipments', member);
    const orders = () => page.locator('tbody').getByRole('link').allTextContents();
    const shows = (expected: string[]) => eventually(async () => expect(await orders()).toEqual(expected));
    await shows(['SOON', 'LATER', 'EXPRESS']);
    await page.getByRole('button', { name: 'Créneau' }).click();
    await shows(['EXPRESS', 'SOON', 'LATER']);
    await page.getByRole('button', { name: 'Créneau' }).click();
    await shows(['LATER', 'SOON', 'EXPRESS']);
    expect(await page.getByRole('columnheader', { name: 'Créneau' }).getAttribute('aria-sort')).toBe('descending');

    await page.getByRole('combobox', { name: 'Jour de livraison' }).click();
    await page.getByRole('option', { name: 'À livrer demain' }).click();
    await shows(['SOON']);
    await page.getByRole('button', { name: 'Enregistrer cette vue' }).click();
    await page.getByLabel('Nom de la vue').fill('Demain');
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await page.getByRole('button', { name: 'Demain', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Effacer les filtres' }).click();
    await page.getByText('En retard').first().click();
    await page.getByText('Aucun envoi ne correspond').waitFor();

    stage.server.setNow(new Date('2031-03-05T07:00:00Z'));
    await page.goto(`${stage.server.url}/dashboard/shipments`);
    await page.getByText('En retard').first().click();
    await shows(['EXPRESS']);
    expect(await page.locator('tbody').getByText('En retard').count()).toBe(1);
    await page.getByRole('button', { name: 'Demain' }).click();
    await page.getByText('Aucun envoi ne correspond').waitFor(); // tomorrow is another day now
    await page.getByRole('button', { name: 'Supprimer la vue Demain' }).click();
    await page.getByRole('button', { name: 'Enregistrer cette vue' }).waitFor();
    expect(seen.complaints).toEqual([]);
    await close();
    stage.server.setNow(null);
  });

  test('cancels a selection one by one, and shows for each whether it was cancelled', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    await ship(shop, ['CMD-1', 'CMD-2', 'CMD-3']);
    const { shippings } = (await stage.server.call(shop, 'GET', '/shipping')).body;
    const underWay = shippings.find(
      ({ externalReference }: { externalReference: { orderId: string } }) => externalReference.orderId === 'CMD-2',
    );
    for (const trigger of ['assign', 'pick_up'] as const) await moveShipment(stage.server, shop, underWay._id, trigger);
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id));
    await page.getByLabel('Sélectionner tous les envois affichés').click();
    await page.getByRole('button', { name: 'Annuler les envois' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Motif').fill('Rupture de stock');
    await dialog.getByRole('button', { name: 'Annuler 3 envois' }).click();
    await dialog.getByText('2 sur 3 annulés').waitFor();
    const rows = await dialog.locator('tbody tr').allTextContents();
    expect(rows.map((row) => [/CMD-\d/.exec(row)?.[0], row.includes('Annulé et recrédité')])).toEqual([
      ['CMD-3', true],
      ['CMD-2', false],
      ['CMD-1', true],
    ]);
    await dialog.getByRole('button', { name: 'Fermer' }).last().click();
    const after = (await stage.server.call(shop, 'GET', '/shipping')).body.shippings;
    expect(after.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'picked_up', 'cancelled']);
    await close();
  });

  test('offers cancelling to members who may ship only', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    await ship(shop, ['CMD-1']);
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id, 'read-only'));
    await page.getByLabel('Sélectionner CMD-1').click();
    await page.getByRole('button', { name: 'Imprimer les étiquettes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Annuler les envois' }).count()).toBe(0);
    await close();
  });
});
