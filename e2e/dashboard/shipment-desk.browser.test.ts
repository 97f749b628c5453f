import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
