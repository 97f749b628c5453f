import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../server/test/console.ts';
import { createTestMember } from '../../server/test/dashboard.ts';
import { ship } from '../../server/test/dispatched.ts';
import { openWindow } from '../window.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const REASON = 'Appel 4312 : commandes introuvables';

let stage: ConsoleStage;
let support: TestStaff;
beforeAll(async () => {
  stage = await openConsoleStage();
  support = await createTestStaff(stage.server, 'support', { name: 'Zoé Martin' });
});
afterAll(() => stage?.stop());

test('support views a merchant’s dashboard with a reason, can change nothing, and leaves traces in both logs', async () => {
  const { server } = stage;
  const shop = await server.createAccount({ name: 'Fleurs & Fils', paymentMode: 'deferred' });
  const owner = await createTestMember(server, shop.id, 'owner');
  const url = 'https://shop.example.org/hook?token=merchant-secret';
  await owner.call('createWebhook', { body: { url, events: ['shipping.created'] } });
  const { referenceNumber } = await ship(server, shop);

  const { page, seen, close } = await stage.open(`/merchants/${shop.id}`, support);
  await page.getByRole('button', { name: 'Voir son tableau de bord' }).click();
  await page.getByLabel('Motif').fill(REASON);
  await page.getByRole('button', { name: 'Ouvrir en lecture seule' }).click();

  const banner = page.getByRole('status').filter({ hasText: 'Vous consultez le tableau de bord de Fleurs & Fils' });
  await banner.waitFor();
  await banner.getByText(/^Zoé Martin, jusqu’à \d\d:\d\d\. Motif\s:\sAppel 4312/).waitFor();

  // Everything can be read; nothing that changes is offered.
  const openPage = (name: string) =>
    page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
  await openPage('Envois');
  await page.getByText(referenceNumber).first().waitFor();
  for (const name of ['Exporter', 'Importer', 'Nouvel envoi']) expect(await page.getByText(name).count()).toBe(0);
  await openPage('Clés API');
  await page.getByRole('heading', { name: /^Clés actives/ }).waitFor();
  expect(await page.getByRole('button', { name: /Créer une clé|Révoquer/ }).count()).toBe(0);
  await openPage('Webhooks');
  await page.getByRole('link', { name: 'https://shop.example.org/hook' }).click();
  await page.getByRole('heading', { name: 'https://shop.example.org/hook' }).waitFor();
  expect(await page.getByRole('button', { name: /Modifier|Supprimer|Afficher|Suspendre/ }).count()).toBe(0);
  expect(await page.content()).not.toContain('merchant-secret');
  await openPage('Équipe');
  await page.getByText('Tableau de bord consulté, en lecture seule').waitFor();
  expect(await page.getByRole('button', { name: 'Inviter' }).count()).toBe(0);

  // Nor is it possible from the console of the browser.
  const refused = await page.evaluate(async () => {
    const { csrfToken } = (await (await fetch('/dashboard/api/session')).json()) as { csrfToken: string };
    const body = JSON.stringify({ name: 'mine', scopes: ['read'] });
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' };
    return (await fetch('/dashboard/api/keys', { method: 'POST', headers, body })).json();
  });
  expect(refused).toMatchObject({ error: 'VIEW_IS_READ_ONLY' });

  await page.getByRole('button', { name: 'Terminer la consultation' }).click();
  await page.getByRole('heading', { name: 'Fleurs & Fils' }).waitFor();
  expect(page.url()).toBe(`${server.url}/console/merchants/${shop.id}`);
  await page.goto(`${server.url}/dashboard/`);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).waitFor();
  // The refused request is the one that this test sent.
  expect(seen.complaints.filter((text) => !/40[13]/.test(text))).toEqual([]);
  await close();

  const merchant = await openWindow(stage.browser, `${server.url}/dashboard/team`, owner);
  await merchant.page.getByText('Tableau de bord consulté, en lecture seule').waitFor();
  await merchant.page.getByText(REASON).waitFor();
  await merchant.page.getByText('Opérateur de livraison (Zoé Martin)').waitFor();
  await merchant.close();
  const admin = await createTestStaff(server);
  const { body } = await admin.call('listOperatorActs', { query: { staffId: support.id } });
  expect(body.acts).toMatchObject([{ act: 'account.view_ended' }, { act: 'account.viewed', reason: REASON }]);
});

test('a view that ended elsewhere leaves the screen', async () => {
  const { server } = stage;
  const shop = await server.createAccount({ name: 'Chez Paul' });
  const { page, close } = await stage.open(`/merchants/${shop.id}`, support);
  await page.getByRole('button', { name: 'Voir son tableau de bord' }).click();
  await page.getByLabel('Motif').fill(REASON);
  await page.getByRole('button', { name: 'Ouvrir en lecture seule' }).click();
  await page.getByText('Vous consultez le tableau de bord de Chez Paul, en lecture seule').waitFor();
  await server.db.deleteFrom('merchant_views').execute();
  const left = page.waitForURL(`${server.url}/console/merchants/${shop.id}`);
  const menu = page.getByRole('navigation', { name: 'Menu' });
  // The page may leave before the click: one of its own requests may be the first that is refused.
  const clicked = menu.getByRole('link', { name: 'Envois', exact: true }).click();
  await Promise.race([clicked.catch(() => left), left]);
  await left;
  await page.getByRole('heading', { name: 'Chez Paul' }).waitFor();
  await close();
});
