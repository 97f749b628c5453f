import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { moveShipment } from '../../server/test/move-shipment.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { workDone } from '../../server/test/test-worker.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let shop: TestAccount;
beforeAll(async () => {
  stage = await openStage({ OPERATOR_PHONE: '+33 1 86 00 00 00' });
  shop = await stage.server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => stage?.stop());

const deliveryAddress = {
  ...shipmentRequest().deliveryAddress,
  recipientName: 'Inès Carvalho',
  street: '4 Rue Neuve',
  postalCode: '1000',
  city: 'Bruxelles',
  country: 'Belgique',
  email: 'ines@example.org',
};

async function ship(): Promise<{ id: string; reference: string }> {
  const { body } = await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest({ deliveryAddress }) });
  return { id: String(body.shipping._id), reference: String(body.shipping.referenceNumber) };
}

test('a recipient is saved from a shipment, found by name with the keyboard, changed and deleted', async () => {
  const { id } = await ship();
  const { page, close } = await stage.open(`/shipments/${id}`, await stage.member(shop.id, 'operations'));
  await page.getByRole('button', { name: 'Enregistrer dans le carnet' }).click();
  await page.getByRole('button', { name: 'Adresse enregistrée.' }).waitFor();

  await page.getByRole('link', { name: 'Carnet d’adresses' }).click();
  await page.getByText('4 Rue Neuve, 1000 Bruxelles, Belgique').waitFor();
  await page.getByRole('button', { name: 'Modifier Inès Carvalho' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Téléphone').fill('');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.getByText('Champ obligatoire').waitFor();
  await dialog.getByLabel('Téléphone').fill('+32470000000');
  await dialog.getByRole('button', { name: 'Enregistrer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('+32470000000 · ines@example.org').waitFor();

  await page.goto(`${stage.server.url}/dashboard/shipments/new`);
  await page.getByLabel('Nom *').pressSequentially('ines');
  await page.getByRole('option', { name: /Inès Carvalho/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Ville').inputValue()).toBe('Bruxelles');
  await page.getByLabel('Poids (kg)').fill('1');
  await page.getByLabel('Contenu').fill('Livres');
  await page.getByRole('button', { name: /^Créer/ }).click();
  await page.getByRole('heading', { name: /^Envoi .* créé$/ }).waitFor();
  const { shippings } = (await stage.server.call(shop, 'GET', '/shipping')).body;
  expect(shippings[0].deliveryAddress).toMatchObject({ country: 'Belgique', phoneNumber: '+32470000000' });

  await page.getByRole('link', { name: 'Carnet d’adresses' }).click();
  await page.getByRole('button', { name: 'Supprimer Inès Carvalho' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer' }).click();
  await page.getByRole('heading', { name: 'Le carnet est vide' }).waitFor();
  await close();
});

test('a postal code completes the town without a geocoder', async () => {
  const { page, close } = await stage.open('/shipments/new', await stage.member(shop.id));
  await page.getByLabel('Numéro et rue').fill('1 place Bellecour');
  await page.getByLabel('Code postal').pressSequentially('69002');
  await page.getByRole('option', { name: '69002 Lyon' }).click();
  expect(await page.getByLabel('Ville').inputValue()).toBe('Lyon');
  expect(await page.getByLabel('Numéro et rue').inputValue()).toBe('1 place Bellecour');
  await close();
});

test('a shipment has a tracking page to share without the code, the operator’s number, and messages to send again', async () => {
  const { id } = await ship();
  const { id: driverId } = await createTestDriver(stage.server.db, { available: false });
  await moveShipment(stage.server, shop, id, 'assign', { driverId });
  await workDone(stage.server);
  const { page, close } = await stage.open(`/shipments/${id}`, await stage.member(shop.id, 'operations'));
  await page.getByRole('link', { name: '+33 1 86 00 00 00' }).waitFor();
  const before = stage.mailbox.sentTo('ines@example.org').length;
  await page.getByRole('button', { name: /^Renvoyer : E-mail/ }).click();
  await page.getByText('Le message est renvoyé.').waitFor();
  await eventually(() => expect(stage.mailbox.sentTo('ines@example.org')).toHaveLength(before + 1));
  await page.getByText(/renvoyé 1 fois/).waitFor();
  expect(await page.getByRole('button', { name: /^Renvoyer :/ }).count()).toBe(0); // once an hour

  const [shared] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Ouvrir la page de suivi' }).click(),
  ]);
  await shared.getByText('1000 Bruxelles').waitFor();
  const text = await shared.content();
  const { delivery_code: code } = await stage.server.db
    .selectFrom('shipments')
    .select('delivery_code')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(text).toContain('sans le code de livraison');
  for (const secret of [code ?? '?', 'Rue Neuve', 'Inès']) expect(text).not.toContain(secret);
  await close();
});
