import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let shop: TestAccount;
beforeAll(async () => {
  stage = await openStage();
  shop = await stage.server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => stage?.stop());

const ship = async (changes: Parameters<typeof shipmentRequest>[0] = {}) => {
  const { body } = await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  return String(body.shipping._id);
};

test('a clerk sees no developers’ pages, and a link to one explains why', async () => {
  await ship();
  const { page, close } = await stage.open('/', await stage.member(shop.id, 'operations'));
  await page.getByRole('link', { name: 'Envois', exact: true }).waitFor();
  expect(await page.getByText('Développeurs').count()).toBe(0);
  await page.goto(`${stage.server.url}/dashboard/developers/webhooks`);
  await page.getByText('Page réservée à d’autres rôles').waitFor();
  expect(await page.getByRole('button', { name: 'Ajouter un webhook' }).count()).toBe(0);
  await close();
});

test('a page that is opened without a connection shows a retry, which works once there is one', async () => {
  const { page, close } = await stage.open('/', await stage.member(shop.id));
  await page.getByRole('link', { name: 'Équipe' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Équipe' }).click();
  await page.getByText('Le serveur ne répond pas').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('heading', { name: 'Équipe' }).waitFor();
  await close();
});

test('the question mark lists the shortcuts', async () => {
  const { page, close } = await stage.open('/shipments', await stage.member(shop.id));
  await page.getByRole('button', { name: 'Raccourcis clavier' }).waitFor();
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Raccourcis clavier' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('link', { name: 'Aide et documentation' }).getAttribute('href')).toBe('/docs/fr/');
  await close();
});

describe('a new shipment', () => {
  test('starts as a copy of another one, without its order', async () => {
    const id = await ship({ externalReference: { orderId: 'CMD-9' }, notes: 'Fragile' });
    const { page, close } = await stage.open(`/shipments/${id}`, await stage.member(shop.id));
    await page.getByRole('link', { name: 'Dupliquer' }).click();
    await page.getByLabel('Nom *').waitFor();
    const value = (label: string) => page.getByLabel(label).inputValue();
    expect([await value('Nom *'), await value('Poids (kg)'), await value('Consignes pour le livreur')]).toEqual([
      'Camille Durand',
      '2.5',
      'Fragile',
    ]);
    expect(await value('N° de commande')).toBe('');
    await page.getByLabel('Poids (kg)').fill('abc');
    await page.getByRole('button', { name: /^Créer/ }).click();
    await page.getByText('Indiquez un poids en kg').waitFor();
    await page.getByLabel('Poids (kg)').fill('3');
    await page.getByRole('button', { name: /^Créer pour/ }).click();
    await page.getByRole('button', { name: 'Créer un autre envoi' }).waitFor();
    const { shippings } = (await stage.server.call(shop, 'GET', '/shipping')).body;
    expect(shippings[0].parcelDetails.weight).toBe(3);
    await close();
  });

  test('is refused before anything is typed when the account cannot create any', async () => {
    const poor = await stage.server.createAccount();
    const { page, close } = await stage.open('/shipments/new', await stage.member(poor.id));
    await page.getByText('Ce compte ne peut pas créer d’envois pour l’instant').first().waitFor();
    expect(await page.getByRole('button', { name: /^Créer/ }).isDisabled()).toBe(true);
    await close();
  });
});
