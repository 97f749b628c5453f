import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../../server/test/dispatched.ts';
import { eventually } from '../../server/test/eventually.ts';
import { workDone } from '../../server/test/test-worker.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

test('a member looks at messages in both languages, and switches one off', async () => {
  const shop = await stage.server.createAccount({ paymentMode: 'deferred' });
  const { page, seen, close } = await stage.open('/', await stage.member(shop.id, 'operations'));
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('heading', { name: 'Messages aux destinataires' }).waitFor();

  const row = page.getByRole('listitem').filter({ hasText: 'Créneau réservé' });
  await row.getByRole('button', { name: 'Aperçu' }).click();
  const mail = page.frameLocator('iframe');
  await mail.getByRole('heading', { name: 'Votre livraison est programmée' }).waitFor();
  const colour = await mail.getByRole('link').evaluate((link) => getComputedStyle(link).color);
  expect(colour).toBe('rgb(255, 255, 255)'); // the page's policy allows its inline styles
  await page.getByRole('radiogroup', { name: 'Langue de l’aperçu' }).getByText('Anglais').click();
  await mail.getByRole('heading', { name: 'Your delivery is scheduled' }).waitFor();
  await page.getByText('Your parcel from Atelier Zoé: time slot booked').waitFor();
  await page.getByText('Texte seul').click();
  await page.getByText('Delivery expected: Wednesday 5 March').waitFor();

  const soon = page.getByRole('listitem').filter({ hasText: 'Dans environ dix minutes' });
  await soon.getByRole('button', { name: 'Aperçu' }).click();
  await page.getByText('arrives in about 10 minutes').waitFor();

  const toggle = row.getByRole('switch');
  expect([await toggle.isChecked(), await soon.getByRole('switch').isChecked()]).toEqual([true, false]);
  await toggle.click({ force: true });
  await page.getByText('Messages mis à jour').waitFor();
  await page.reload();
  await eventually(async () => expect(await row.getByRole('switch').isChecked()).toBe(false));
  expect(seen.complaints).toEqual([]);
  await close();

  const { _id } = await ship(stage.server, shop, { scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
  await workDone(stage.server);
  const written = await stage.server.db.selectFrom('messages').select('kind').where('shipment_id', '=', _id).execute();
  expect(written).toEqual([]);
});

test('a member who may only look sees the choices and cannot change them', async () => {
  const shop = await stage.server.createAccount();
  const { page, close } = await stage.open('/account/messages', await stage.member(shop.id, 'read-only'));
  const row = page.getByRole('listitem').filter({ hasText: 'Colis livré' });
  await row.waitFor();
  expect(await row.getByRole('switch').isDisabled()).toBe(true);
  await close();
});
