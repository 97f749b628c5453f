import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { textOfPages } from '../../server/test/pdf-tools.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

/** A shipment of the shop as its own systems would send it. */
async function ship(shop: TestAccount, orderId: string, changes: Parameters<typeof shipmentRequest>[0] = {}) {
  const body = shipmentRequest({ externalReference: { orderId }, ...changes });
  const answer = await stage.server.call(shop, 'POST', '/shipping', { body });
  return { id: String(answer.body.shipping._id), reference: String(answer.body.shipping.referenceNumber) };
}

const to = (recipientName: string, city = 'Paris') => ({
  deliveryAddress: { ...shipmentRequest().deliveryAddress, recipientName, city },
});

const fillForm = async (page: Page) => {
  await page.getByLabel('Nom *').fill('Maëlle Le Guen');
  await page.getByLabel('Numéro et rue').fill('112 bis boulevard Voltaire');
  await page.getByLabel('Code postal').fill('75011');
  await page.getByLabel('Ville').fill('Paris');
  await page.getByLabel('Téléphone').fill('+33612345678');
  await page.getByLabel('Poids (kg)').fill('5,5');
  await page.getByLabel('Contenu').fill('Céramique');
  await page.getByLabel('N° de commande').fill('CMD-7');
};

const balanceOf = async (shop: TestAccount) => (await stage.server.call(shop, 'GET', '/account')).body.account.balance;

/** What the link leads to, fetched as this tab would. */
const fetchPdf = async (page: Page, name: string) => {
  const address = await page.getByRole('link', { name }).getAttribute('href');
  const answer = await page.request.get(`${stage.server.url}${address}`);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  return answer.body();
};

describe('shipments in the dashboard', { timeout: 60_000 }, () => {
  test('one is created for the price shown, once however often it is sent; its label prints; cancelling gives the money back', async () => {
    const shop = await stage.server.createAccount({ pricePerKg: 9.9 });
    await addCredit(stage.server.db, shop.id, 5_000, 'Virement');
    const before = await balanceOf(shop);
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id));
    await page.getByRole('heading', { name: 'Vos envois apparaîtront ici' }).waitFor();
    await page.keyboard.press('n');

    await fillForm(page);
    await page.getByText('1,5 kg au-delà × 1,17 € le kilo').waitFor();
    const submit = page.getByRole('button', { name: 'Créer pour 11,66 €' });
    await submit.click();
    await page.getByText('À remplir').waitFor(); // the e-mail: said at its field, which has the focus
    expect(await page.locator(':focus').getAttribute('type')).toBe('email');
    await page.getByLabel('E-mail').fill('maelle@example.org');
    await page.reload(); // by accident: the draft is still there
    await page.getByText('Brouillon repris').waitFor();
    await submit.dblclick();

    await page.getByRole('heading', { name: /^Envoi .* créé$/ }).waitFor();
    const { shippings } = (await stage.server.call(shop, 'GET', '/shipping')).body;
    expect(shippings).toHaveLength(1);
    expect(shippings[0]).toMatchObject({
      price: 11.66,
      externalReference: { platform: 'dashboard', orderId: 'CMD-7' },
    });
    expect(await balanceOf(shop)).toBeCloseTo(before - 11.66, 2);
    const [label = ''] = await textOfPages(await fetchPdf(page, 'Imprimer l’étiquette'));
    expect(label).toContain(shippings[0].referenceNumber);
    expect(label).toContain('Maëlle Le Guen');

    await page.getByRole('link', { name: 'Voir l’envoi' }).click();
    await page.getByRole('button', { name: 'Annuler l’envoi' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('11,66 € seront recrédités').waitFor();
    await dialog.getByLabel('Motif').fill('Rupture de stock');
    await dialog.getByRole('button', { name: 'Annuler l’envoi' }).click();
    await page.getByText('Motif : Rupture de stock').waitFor();
    await page.getByText('Par Zoé Martin').waitFor();
    expect(await page.getByRole('button', { name: 'Annuler l’envoi' }).count()).toBe(0);
    expect(await balanceOf(shop)).toBe(before);
    await close();
  });

  test('are found by what people know of them; the filter stays in the address; labels of a range print together', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const zoe = await ship(shop, 'CMD-1', to('Zoé Lefèvre', 'Lyon'));
    await ship(shop, 'CMD-2', to('Inès Garcia'));
    await ship(shop, 'CMD-3', to('Thomas Nguyen'));
    await moveShipment(stage.server, shop, zoe.id, 'cancel', { reason: 'x' });
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id, 'read-only'));
    const rows = page.locator('tbody tr');
    await page.getByText('3 envois affichés').waitFor();
    expect(await page.getByRole('link', { name: 'Nouvel envoi' }).count()).toBe(0); // not for this role

    for (const words of ['CMD-1', zoe.reference, 'lefevre', 'lyon']) {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await page.getByText('1 envoi affiché').waitFor();
      expect(await rows.textContent()).toContain('Zoé Lefèvre');
      await page.getByRole('searchbox').fill('');
      await page.getByText('3 envois affichés').waitFor();
    }
    await page
      .getByText(/^Annulé/)
      .first()
      .click();
    await page.getByText('1 envoi affiché').waitFor();
    await page.reload();
    await page.getByText('1 envoi affiché').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Exporter en CSV' }).click(),
    ]);
    const csv = await page.request.get(download.url()).then((answer) => answer.text());
    expect(csv.trim().split('\n')).toHaveLength(2);
    await page.getByRole('button', { name: 'Effacer les filtres' }).click();

    await page.getByLabel('Sélectionner CMD-3').click();
    await page.getByLabel('Sélectionner CMD-1').click({ modifiers: ['Shift'] });
    await page.getByText('3 sélectionnés').waitFor();
    let pdf: Buffer = Buffer.alloc(0);
    await page.route('**/shipments/labels', async (route) => {
      const response = await route.fetch();
      pdf = await response.body();
      await route.fulfill({ response });
    });
    await Promise.all([
      page.waitForEvent('popup'), // where the browser shows and prints it
      page.getByRole('button', { name: 'Imprimer les étiquettes' }).click(),
    ]);
    const names = (await textOfPages(pdf)).map((text) => /Nguyen|Garcia|Lefèvre/.exec(text)?.[0]);
    expect(names).toEqual(['Nguyen', 'Garcia', 'Lefèvre']);
    await close();
  });

  test('a list longer than one page prints whole, as it is filtered; too much of it is refused with what to do', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const shippings = [...Array(53).keys()].map((number) =>
      shipmentRequest({
        externalReference: { orderId: `CMD-${number}` },
        ...(number > 1 && { groupReference: 'LOT-1' }),
      }),
    );
    expect((await stage.server.call(shop, 'POST', '/shipping/batch', { body: { shippings } })).body.created).toBe(53);
    const { page, close } = await stage.open('/shipments?group=LOT-1', await stage.member(shop.id, 'read-only'));
    await page.getByText('50 envois affichés').waitFor();
    const printAll = page.getByRole('button', { name: 'Imprimer toute la liste (1 000 au plus)' });
    await page.getByLabel('Sélectionner CMD-52').click();
    await page.getByText('1 sélectionné', { exact: true }).waitFor();
    expect(await printAll.count()).toBe(0); // offered to whoever ticked all that is shown
    await page.getByLabel('Sélectionner tout ce qui est affiché').click();
    await page.getByText('50 sélectionnés').waitFor();

    let pdf: Buffer = Buffer.alloc(0);
    await page.route('**/shipments/labels', async (route) => {
      const response = await route.fetch();
      pdf = await response.body();
      await route.fulfill({ response });
    });
    await Promise.all([page.waitForEvent('popup'), printAll.click()]);
    expect(await textOfPages(pdf)).toHaveLength(51);

    const json = { success: false, error: 'TOO_MANY_LABELS', message: 'Trop d’étiquettes' };
    await page.route('**/shipments/labels', (route) => route.fulfill({ status: 400, json }));
    await printAll.click();
    await page.getByText('resserrez les filtres, par exemple la période').waitFor();
    await close();
  });

  test('move on screen when they move, in the list and in detail', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const { id } = await ship(shop, 'CMD-1');
    const member = await stage.member(shop.id);
    const list = await stage.open('/shipments', member);
    const detail = await stage.open(`/shipments/${id}`, member);
    await list.page.locator('tbody').getByText('Créé', { exact: true }).waitFor();
    await detail.page.getByText('Un livreur va l’accepter.').waitFor();

    await moveShipment(stage.server, shop, id, 'assign');
    await list.page.locator('tbody').getByText('Attribué', { exact: true }).waitFor();
    await detail.page.getByText('Le livreur va récupérer le colis.').waitFor();
    await list.page.getByText('Le statut d’un envoi a changé').waitFor({ state: 'attached' });
    await moveShipment(stage.server, shop, id, 'deliver');
    await list.page.locator('tbody').getByText('Livré', { exact: true }).waitFor();
    await detail.page.getByText('Remis au destinataire').waitFor();
    expect([...list.seen.complaints, ...detail.seen.complaints]).toEqual([]);
    await list.close();
    await detail.close();
  });
});
