import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCredit } from '../../server/src/features/ledger/index.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { openStage, PHONE, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

test('a blocked shop sees the way out on the overview, in the form and in the account, pays on Stripe’s page, and can then ship', async () => {
  const shop = await stage.server.createAccount({ minimumPrice: 8.5 });
  const owner = await stage.member(shop.id);
  const { page, seen, close } = await stage.open('/', owner);
  const pay = page.getByRole('link', { name: 'Recharger ou payer' }).first();
  await pay.waitFor();
  await page.getByText('Approvisionner le compte').waitFor();
  for (const path of ['/shipments/new', '/account']) {
    await page.goto(`${stage.server.url}/dashboard${path}`);
    await pay.waitFor();
  }
  await pay.click();
  await page.getByRole('button', { name: '250,00 €' }).click();
  await page.getByLabel('Montant', { exact: true }).fill('60');
  await page.getByRole('button', { name: /^Payer 60,00/ }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText('n’est pas terminé').waitFor();
  await page.getByRole('button', { name: 'Reprendre le paiement' }).click();
  await page.getByRole('link', { name: 'Pay' }).click();
  await page.getByText('confirmation en attente').waitFor();
  const [session] = stage.stripe.sessions.values();
  expect(stage.stripe.sessions.size).toBe(1);
  await stage.stripe.send(stage.server.url, stage.stripe.complete(session?.id ?? '', 'card'));
  await page.getByText('60,00 € crédités').waitFor();
  await page.goto(`${stage.server.url}/dashboard/shipments/new`);
  await page.getByText('Prix').first().waitFor();
  expect(await page.getByText('ne peut pas créer d’envois').count()).toBe(0);
  expect(seen.complaints).toEqual([]);
  await close();
});

test('a blocked shop with shipments sees the way out above their list; one that can ship sees no notice', async () => {
  const shop = await stage.server.createAccount({ minimumPrice: 8.5 });
  await addCredit(stage.server.db, shop.id, 1_000, null);
  expect((await stage.server.call(shop, 'POST', '/shipping', { body: shipmentRequest() })).status).toBe(201);
  const owner = await stage.member(shop.id);
  const { page, seen, close } = await stage.open('/shipments', owner);
  const notice = page.getByRole('alert').filter({ hasText: 'ne peut pas créer d’envois' });
  await notice.getByRole('link', { name: 'Recharger ou payer' }).waitFor();
  await page.getByText('Camille Durand').first().waitFor(); // the list is still there
  const reader = await stage.open('/shipments', await stage.member(shop.id, 'read-only'));
  await reader.page.getByText('Camille Durand').first().waitFor();
  expect(await reader.page.getByText('ne peut pas créer d’envois').count()).toBe(0);
  await reader.close();
  await addCredit(stage.server.db, shop.id, 10_000, null);
  const answered = page.waitForResponse((response) => response.url().endsWith('/dashboard/api/account'));
  await page.reload();
  await answered;
  await page.getByText('Camille Durand').first().waitFor();
  expect(await notice.count()).toBe(0);
  expect(seen.complaints).toEqual([]);
  await close();
});

test('a debit is called under way until the bank confirms it; the reference of a transfer can be copied on a phone', async () => {
  const shop = await stage.server.createAccount();
  const owner = await stage.member(shop.id);
  const options = { viewport: PHONE, permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, close } = await stage.open('/account/payments', owner, options);
  await page.getByRole('button', { name: /^Copier.*Référence à indiquer/ }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^NV[2-9A-Z]{6}$/);
  await page.getByRole('button', { name: /^Payer 100,00/ }).click();
  await page.getByRole('link', { name: 'Pay' }).waitFor();
  const session = [...stage.stripe.sessions.values()].at(-1);
  await stage.stripe.send(stage.server.url, stage.stripe.complete(session?.id ?? '', 'debit'));
  await page.getByRole('link', { name: 'Pay' }).click();
  await page.getByText('pas encore crédité').waitFor();
  await close();
});

test('a member without the permission sees how to pay, and no button', async () => {
  const shop = await stage.server.createAccount();
  const { page, close } = await stage.open('/account/payments', await stage.member(shop.id, 'read-only'));
  await page.getByText('Votre rôle ne permet pas de payer en ligne').waitFor();
  expect(await page.getByRole('button', { name: /^Payer/ }).count()).toBe(0);
  await close();
});
