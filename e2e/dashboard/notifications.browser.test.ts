import { afterAll, beforeAll, expect, test } from 'vitest';
import { endIncident, openIncident } from '../../server/src/features/incidents/index.ts';
import { createTestDriver } from '../../server/test/driver-app.ts';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestAccount } from '../../server/test/test-server.ts';
import { workDone } from '../../server/test/test-worker.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let shop: TestAccount;
beforeAll(async () => {
  stage = await openStage();
  shop = await stage.server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => stage?.stop());

test('the bell counts what is new, its list leads to the cause, and a member chooses what comes by mail', async () => {
  const { server, mailbox } = stage;
  const clerk = await stage.member(shop.id, 'operations');
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest() });
  const { _id: id, referenceNumber: reference } = body.shipping;
  const { id: driverId } = await createTestDriver(server.db, { available: false });
  const report = (kind: 'recipient_absent' | 'damaged') =>
    server.db.transaction().execute(async (tx) => {
      const now = new Date();
      await endIncident(tx, shop.id, id, { resolution: 'tried_again', by: 'operator', now });
      const about = { accountId: shop.id, shipmentId: id, driverId, kind };
      await openIncident(tx, server.jobs, { ...about, note: null, place: null, happenedAt: now, receivedAt: now });
    });
  await report('recipient_absent');
  await workDone(server);
  expect(mailbox.sentTo(clerk.email)).toHaveLength(1);
  const { page, close } = await stage.open('/', clerk);
  await page.getByRole('link', { name: 'Notifications, 1 non lue' }).click();
  await page.getByRole('link', { name: `L’envoi ${reference} n’a pas pu être remis` }).waitFor();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor(); // nothing unread any more
  await page.getByRole('link', { name: 'Choisir mes notifications' }).click();
  const mail = page.getByRole('checkbox', { name: 'Un colis n’a pas pu être remis, E-mail' });
  await mail.click();
  await eventually(async () => {
    const { choices } = (await clerk.call('readNotificationChoices')).body;
    expect(choices).toContainEqual({ kind: 'incident', app: true, mail: false });
  });
  await page.reload();
  await mail.waitFor();
  expect(await mail.isChecked()).toBe(false);

  await report('damaged');
  await workDone(server);
  expect(mailbox.sentTo(clerk.email)).toHaveLength(1);
  await page.getByRole('link', { name: /^Notifications/ }).click();
  await page.reload();
  const entries = page.getByRole('link', { name: `L’envoi ${reference} n’a pas pu être remis` });
  await entries.nth(1).waitFor();
  expect(await entries.count()).toBe(2);
  await entries.first().click();
  await page.getByRole('heading', { name: `Envoi ${reference}` }).waitFor();
  await close();
});
