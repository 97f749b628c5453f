import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { eraseShipment } from '../../server/test/erase-shipment.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { textOfPages } from '../../server/test/pdf-tools.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { printedBy } from './printed-labels.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

/** Creates a shipment through the API. */
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

/** Fetches the target of the link with the cookies of the tab. */
const fetchPdf = async (page: Page, name: string) => {
  const address = await page.getByRole('link', { name }).getAttribute('href');
  const answer = await page.request.get(`${stage.server.url}${address}`);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  return answer.body();
};

describe('shipments in the dashboard', () => {
  test('one is created for the price shown, once even if sent twice; its label prints; cancelling refunds it', async () => {
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
    await page.getByText('Champ obligatoire').waitFor(); // shown at the e-mail field, which has the focus
    expect(await page.locator(':focus').getAttribute('inputmode')).toBe('email');
    await page.getByLabel('E-mail').fill('maelle@example.org');
    await page.reload(); // by accident: the draft is still there
    await page.getByText('Votre brouillon a été restauré').waitFor();
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

  test('the form of a new one appears once the account is loaded, and a collection is delivered to its address', async () => {
    const shop = await stage.server.createAccount({ name: 'Atelier Zoé' });
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id));
    let answerAccount = () => {};
    const held = new Promise<void>((resolve) => {
      answerAccount = resolve;
    });
    await page.route('**/dashboard/api/account', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Nouvel envoi' }).first().click();
    await page.locator('[aria-busy="true"]').waitFor();
    expect(await page.getByText('Collecte', { exact: true }).count()).toBe(0);
    answerAccount();
    await page.getByText('Collecte', { exact: true }).click();
    const address = page.getByRole('region', { name: 'Où le colis vous est livré' });
    await expect.poll(() => address.getByLabel('Nom').inputValue(), { timeout: 240_000 }).toBe('Atelier Zoé');
    expect(await address.getByLabel('Ville').inputValue()).not.toBe('');
    await close();
  });

  test('are found by order, name and town; the filter is kept in the URL; labels of a selected range print together', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const zoe = await ship(shop, 'CMD-1', to('Zoé Lefèvre', 'Lyon'));
    await ship(shop, 'CMD-2', to('Inès Garcia'));
    await ship(shop, 'CMD-3', to('Thomas Nguyen'));
    await moveShipment(stage.server, shop, zoe.id, 'cancel', { reason: 'x' });
    const { page, close } = await stage.open('/shipments', await stage.member(shop.id, 'read-only'));
    const rows = page.locator('tbody tr');
    await page.getByText('3 envois affichés').waitFor();
    expect(await page.getByRole('link', { name: 'Nouvel envoi' }).count()).toBe(0); // hidden for this role

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
    const labels = await printedBy(page.getByRole('button', { name: 'Imprimer les étiquettes' }));
    const names = labels.map((text) => /Nguyen|Garcia|Lefèvre/.exec(text)?.[0]);
    expect(names).toEqual(['Nguyen', 'Garcia', 'Lefèvre']);
    await close();
  });

  test('a filtered list longer than one page prints completely; above the limit it is refused with an explanation', async () => {
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
    const printAll = page.getByRole('button', { name: 'Imprimer toute la liste (1 000 maximum)' });
    await page.getByLabel('Sélectionner CMD-52').click();
    await page.getByText('1 sélectionné', { exact: true }).waitFor();
    expect(await printAll.count()).toBe(0); // offered only once everything shown is selected
    await page.getByLabel('Sélectionner tous les envois affichés').click();
    await page.getByText('50 sélectionnés').waitFor();

    expect(await printedBy(printAll)).toHaveLength(51);

    const json = { success: false, error: 'TOO_MANY_LABELS', message: 'Trop d’étiquettes' };
    await page.route('**/shipments/labels', (route) => route.fulfill({ status: 400, json }));
    await printAll.click();
    await page.getByText('affinez les filtres, par exemple la période').waitFor();
    await close();
  });

  test('show the date of erasure, and offer no label after it', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const old = await ship(shop, 'CMD-1', to('Zoé Lefèvre', 'Lyon'));
    await ship(shop, 'CMD-2', to('Inès Garcia'));
    await moveShipment(stage.server, shop, old.id, 'cancel', { reason: 'x' });
    await eraseShipment(stage.server, shop.id, old.id, new Date('2032-04-08T02:40:00Z'));
    const member = await stage.member(shop.id);
    const { page, seen, close } = await stage.open('/shipments', member);
    const row = page.locator('tbody tr', { hasText: old.reference });
    await row.getByText('Données effacées').waitFor();
    await row.getByText('75001 Lyon').waitFor();
    expect(await page.getByLabel(`Sélectionner ${old.reference}`).isDisabled()).toBe(true);
    await page.getByLabel('Sélectionner tous les envois affichés').click();
    await page.getByText('1 sélectionné', { exact: true }).waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse('**/shipments/labels'),
      page.getByRole('button', { name: 'Imprimer les étiquettes' }).click(),
    ]);
    expect(answer.status()).toBe(200);

    await page.getByRole('link', { name: old.reference }).click();
    await page.getByText('Données personnelles effacées le 8 avr. 2032').waitFor();
    const text = await page.locator('main').textContent();
    expect(text).toContain('75001 Lyon');
    expect(text).not.toMatch(/Lefèvre|effacé\)|Consignes|Contenu/);
    expect(await page.getByRole('link', { name: /Étiquette|Ouvrir et imprimer|Télécharger/ }).count()).toBe(0);
    expect(seen.complaints).toEqual([]);
    await close();
  });

  test('update their status live, in the list and in detail', async () => {
    const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
    const { id } = await ship(shop, 'CMD-1');
    const member = await stage.member(shop.id);
    const list = await stage.open('/shipments', member);
    const detail = await stage.open(`/shipments/${id}`, member);
    await list.page.locator('tbody').getByText('Créé', { exact: true }).waitFor();
    await detail.page.getByText('L’envoi sera attribué à un livreur.').waitFor();

    await moveShipment(stage.server, shop, id, 'assign');
    await list.page.locator('tbody').getByText('Attribué', { exact: true }).waitFor();
    await list.page.getByText('Le statut d’un envoi a changé').waitFor({ state: 'attached' }); // until the next change
    await detail.page.getByText('Le livreur viendra chercher le colis.').waitFor();
    await moveShipment(stage.server, shop, id, 'deliver');
    await list.page.locator('tbody').getByText('Livré', { exact: true }).waitFor();
    await detail.page.getByText('Livré au destinataire').waitFor();
    expect([...list.seen.complaints, ...detail.seen.complaints]).toEqual([]);
    await list.close();
    await detail.close();
  });
});
