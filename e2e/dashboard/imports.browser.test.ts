import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import words from '../../apps/dashboard/src/i18n/fr/imports.ts';
import { BAD_LINES, importFile, importLine } from '../../server/test/import-file.ts';
import { printedBy } from './printed-labels.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

const GOOD = 193;

/** Labels of fields on the page. */
const nameOf = (path: string) =>
  path.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], words.fields);

describe('importing a file', () => {
  test('200 lines with 7 invalid ones: each invalid one is listed, 193 are created and charged once, the 7 can be downloaded', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const { page, close } = await stage.open('/shipments/import', await stage.member(shop.id));
    await page.getByText('Aucun import pour l’instant.').waitFor();
    const lines = [
      ...Array.from({ length: GOOD }, (_, index) => importLine(`CMD-${index}`)),
      ...BAD_LINES.map(([changes], index) => importLine(`CMD-${500 + index}`, changes)),
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: 'commandes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(importFile(lines)),
    });

    await page.getByRole('heading', { name: 'Vérification : commandes.csv' }).waitFor();
    const wrong = page.getByRole('region', { name: 'Lignes à corriger' }).locator('tbody tr');
    const cells = await wrong.evaluateAll((rows) =>
      rows.map((row) => [...row.children].slice(0, 2).map((cell) => cell.firstChild?.textContent)),
    );
    expect(cells).toEqual(BAD_LINES.map(([, field], index) => [String(GOOD + 2 + index), nameOf(field)]));
    expect((await stage.server.call(shop, 'GET', '/shipping')).body.pagination.total).toBe(0);

    await page.getByRole('button', { name: 'Créer 193 envois' }).click();
    await page.getByText('193 envois créés').waitFor({ timeout: 240_000 });
    const { total } = (await stage.server.call(shop, 'GET', '/shipping')).body.pagination;
    const charges = await stage.server.db
      .selectFrom('ledger_entries')
      .select('shipment_id')
      .where('account_id', '=', shop.id)
      .where('kind', '=', 'charge')
      .execute();
    expect([total, charges.length]).toEqual([GOOD, GOOD]);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Télécharger les lignes à corriger' }).click(),
    ]);
    const file = await page.request.get(download.url()).then((answer) => answer.text());
    expect(file.match(/CMD-\d+/g)).toEqual(BAD_LINES.map((_, index) => `CMD-${500 + index}`));
    expect(await printedBy(page.getByRole('button', { name: 'Imprimer ces étiquettes' }))).toHaveLength(GOOD);
    await page.getByRole('link', { name: 'Voir les envois' }).click();
    await page.getByText('50 envois affichés').waitFor();
    await close();
  });

  test('pasted spreadsheet cells are read; a repeated file shows a warning; a binary file is rejected', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const { page, close } = await stage.open('/shipments/import', await stage.member(shop.id));
    const paste = async () => {
      await page.getByRole('button', { name: 'Coller des lignes' }).click();
      await page.getByLabel('Lignes à importer').fill(importFile([importLine('CMD-1')]).replaceAll(';', '\t'));
      await page.getByRole('button', { name: 'Vérifier' }).click();
    };
    await paste();
    await page.getByRole('button', { name: 'Créer 1 envoi' }).click();
    await page.getByText('1 envoi créé').waitFor();
    await page.getByRole('link', { name: 'Importer un autre fichier' }).first().click();
    await paste();
    await page.getByText('Ce fichier a déjà été importé').waitFor();

    await page.getByRole('link', { name: 'Importer un autre fichier' }).click();
    const image = { name: 'photo.csv', mimeType: 'text/csv', buffer: Buffer.from([0x89, 0x50, 0, 0, 1]) };
    await page.locator('input[type=file]').setInputFiles(image);
    await page.getByText('Ce fichier n’est pas un fichier CSV').waitFor();
    expect((await stage.server.call(shop, 'GET', '/shipping')).body.pagination.total).toBe(1); // only the started import created shipments
    await close();
  });
});
