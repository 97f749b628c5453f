import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { subscribe } from '../../server/test/subscribe.ts';
import { openStage, type Stage } from './stage.ts';

const PATIENCE = { timeout: 600_000 };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.stop());

test('a developer sends lost events again and replaces the secret', PATIENCE, async () => {
  const { server, receiver } = stage;
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const developer = await stage.member(shop.id, 'developer');
  receiver.behave('/lost', (_request, response, nth) => response.writeHead(nth <= 6 ? 503 : 200).end());
  const { _id: id, secret } = await subscribe(server, receiver, shop, '/lost', ['shipping.created']);
  for (let i = 0; i < 2; i++) await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  const { page, seen, close } = await stage.open(`/developers/webhooks/${id}`, developer);

  const lines = page.locator('[data-delivery]');
  await lines.filter({ hasText: 'Échec définitif' }).nth(1).waitFor({ timeout: 240_000 });
  await lines.first().getByRole('button').first().click();
  await lines.first().getByRole('button', { name: 'Renvoyer' }).click();
  await lines.first().getByText('Renvoyé 1 fois').waitFor({ timeout: 240_000 });
  await lines.first().getByText('Renvoi 1, tentative 1').waitFor({ timeout: 240_000 });

  await page.getByRole('button', { name: 'Renvoyer' }).first().click();
  await page.locator('[data-resend=done]').getByText('1 événement renvoyé').waitFor({ timeout: 240_000 });
  await eventually(() => expect(receiver.to('/lost')).toHaveLength(8));
  await page.getByText('95 % des réponses').waitFor({ timeout: 240_000 });

  await page.getByRole('button', { name: 'Nouveau secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Nouveau secret' }).click();
  const next = page.locator('[data-secret=next]', { hasText: 'navette_whsec_' });
  await next.waitFor({ timeout: 240_000 });
  const nextSecret = await next.textContent();
  expect(await page.locator('[data-secret=current]').textContent()).toBe(secret);
  await page.getByRole('button', { name: 'Changer maintenant' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Changer maintenant' }).click();
  await page.locator('[data-rotation]').waitFor({ state: 'detached' });
  await page.locator('[data-secret=current]', { hasText: nextSecret ?? '' }).waitFor({ timeout: 240_000 });
  expect(seen.complaints).toEqual([]);
  await close();
});
