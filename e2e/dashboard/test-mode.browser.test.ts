import { afterAll, beforeAll, expect, test } from 'vitest';
import { ship } from '../../server/test/dispatched.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { workDone } from '../../server/test/test-worker.ts';
import { createTwin } from '../../server/test/twin.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.stop());

test('a developer switches to test mode, sees the banner and the text of a recorded SMS, and switches back', async () => {
  const account = await stage.server.createAccount({ paymentMode: 'deferred' });
  const twin = await createTwin(stage.server, account);
  const { _id: id } = await ship(stage.server, twin);
  await workDone(stage.server);
  const { page } = await stage.open('/', await stage.member(account.id, 'developer'));
  await page.getByRole('switch', { name: 'Mode test' }).click();
  const banner = page.getByRole('region', { name: 'Mode test' });
  await banner.waitFor();

  await page.goto(`${stage.server.url}/dashboard/shipments/${id}`);
  await page.getByText('Enregistré, non envoyé (mode test)').first().waitFor();
  await page.getByText('Voir le texte').first().click();
  expect(await page.getByText('/t/').first().isVisible()).toBe(true);

  await banner.getByRole('button').click();
  await banner.waitFor({ state: 'detached' });
  const answer = page.waitForResponse((response) => response.url().endsWith(`/dashboard/api/shipments/${id}`));
  await page.goto(`${stage.server.url}/dashboard/shipments/${id}`);
  expect((await answer).status()).toBe(404);
});

test('in test mode a developer sees the time of a moved clock and chooses a fault of a webhook; live mode has neither', async () => {
  const { server } = stage;
  const account = await server.createAccount({ paymentMode: 'deferred' });
  const twin = await createTwin(server, account);
  const addWebhook = async (owner: TestAccount) => {
    const body = { url: 'https://shop.example.org/navette', events: ['shipping.created'] };
    return (await server.call(owner, 'POST', '/webhooks', { body })).body.webhook._id as string;
  };
  const [live, test] = [await addWebhook(account), await addWebhook(twin)];
  const to = new Date(Date.now() + 40 * 86_400_000);
  expect((await server.call(twin, 'POST', '/test/clock', { body: { to: to.toISOString() } })).status).toBe(200);

  const { page } = await stage.open(`/developers/webhooks/${live}`, await stage.member(account.id, 'developer'));
  await page.getByRole('heading', { name: 'Vérifier la signature' }).waitFor();
  expect(await page.getByLabel('Panne').count()).toBe(0);

  await page.getByRole('switch', { name: 'Mode test' }).click();
  const banner = page.getByRole('region', { name: 'Mode test' });
  const year = new Intl.DateTimeFormat('fr-FR', { timeZone: server.config.timeZone, year: 'numeric' }).format(to);
  await banner.getByText(year).waitFor();
  await page.goto(`${server.url}/dashboard/developers/webhooks/${test}`);
  await page.getByRole('combobox', { name: 'Panne' }).click();
  await page.getByRole('option', { name: 'Envoi en double' }).click();
  await page.getByText('Chaque événement arrive de nouveau').waitFor();
  const { body } = await server.call(twin, 'GET', `/test/webhooks/${test}`);
  expect(body.webhook.fault).toBe('twice');
});
