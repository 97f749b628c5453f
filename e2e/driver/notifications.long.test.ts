import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { newVapidPrivateKey } from '../../server/src/adapters/push/vapid.ts';
import { eventually } from '../../server/test/eventually.ts';
import { type FakePushService, startFakePushService } from '../../server/test/fake-push-service.ts';
import { type Desktop, startDesktop } from './desktop.ts';
import { isStored, openStage, overHttp, type Stage, ship } from './stage.ts';
import { controlWorker, type WorkerControl } from './worker-control.ts';

let stage: Stage;
let service: FakePushService;
let desktop: Desktop;
const folder = mkdtempSync(join(tmpdir(), 'navette-phones-'));
beforeAll(async () => {
  service = await startFakePushService();
  desktop = await startDesktop();
  stage = await openStage({
    VAPID_PRIVATE_KEY: newVapidPrivateKey(),
    VAPID_SUBJECT: 'mailto:ops@example.org',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    DISPATCH_OFFER_SECONDS: '600',
  });
});
afterAll(async () => {
  await stage?.stop();
  await Promise.all([service?.stop(), desktop?.stop()]);
  rmSync(folder, { recursive: true });
});

const NOTIFICATIONS = `registration.getNotifications().then((shown) =>
  shown.map(({ title, body, tag, requireInteraction, data }) => ({ title, body, tag, requireInteraction, data })))`;

/** A driver who is available, and whose phone the server knows at the push service. */
async function openSubscribed() {
  const driver = await stage.driver();
  const phone = await stage.openAs(driver, { profile: { folder: mkdtempSync(join(folder, 'phone-')), ...desktop } });
  await phone.page.getByRole('button', { name: fr.home.becomeAvailable }).click();
  await phone.page.getByText(fr.home.positionSent).waitFor();
  await isStored(phone.page);
  await overHttp(stage.server.url, driver)('savePushSubscription', { ...service.subscribe() });
  return { driver, ...phone };
}

/** The message of the server for this shipment, as the push service received and decrypted it. */
const receivedFor = (id: string, type: string) =>
  eventually(() => {
    const found = service.received.find(({ message }) => message.shippingId === id && message.type === type);
    if (!found) throw new Error(`no ${type} was pushed`);
    return found.message;
  });

const shows = (worker: WorkerControl, expected: object[]) =>
  eventually(async () => expect(await worker.evaluate(NOTIFICATIONS)).toEqual(expected));

/** The notification on the phone's screen. */
const onScreen = (text: string) =>
  eventually(() => {
    const found = desktop.shown.find(({ body }) => body.includes(text));
    if (!found) throw new Error('nothing is shown');
    return found;
  });

describe('a pushed offer', () => {
  test('is shown while the app is closed, and a touch opens the offer', async () => {
    const { driver, context, page, close } = await openSubscribed();
    const worker = await controlWorker(context, stage.server.url);
    await page.close();
    const { _id: id, referenceNumber } = await ship(stage.server, stage.shop);
    const message = await receivedFor(id, 'offer');
    await worker.push(message);
    const { title, body } = message;
    await shows(worker, [{ title, body, tag: id, requireInteraction: true, data: { path: `/offer/${id}` } }]);

    const opening = context.waitForEvent('page');
    desktop.touch(await onScreen(referenceNumber));
    const opened = await opening;
    opened.setDefaultTimeout(240_000);
    await opened.getByRole('dialog', { name: fr.offer.title }).waitFor();
    expect(opened.url()).toBe(`${stage.server.url}/driver/offer/${id}`);
    await shows(worker, []);
    await opened.getByRole('button', { name: fr.offer.accept }).click();
    await opened.getByRole('heading', { name: fr.stop.pickup, exact: true }).waitFor();
    await overHttp(stage.server.url, driver)('setAvailability', { available: false });
    await close();
  });

  test('leads the open app to that offer, not to one that came before; a withdrawal replaces the notification', async () => {
    const { driver, context, page, close } = await openSubscribed();
    const worker = await controlWorker(context, stage.server.url);
    await page.goto(`${stage.server.url}/driver/scan`); // offers wait as a banner here
    const first = await ship(stage.server, stage.shop);
    await receivedFor(first._id, 'offer');
    const second = await ship(stage.server, stage.shop, { deliveryAddress: addressIn('75011') });
    await worker.push(await receivedFor(second._id, 'offer'));
    const before = context.pages().length;
    desktop.touch(await onScreen(second.referenceNumber));
    const offer = page.getByRole('dialog', { name: fr.offer.title });
    await offer.getByText('75011').waitFor();
    expect(page.url()).toBe(`${stage.server.url}/driver/offer/${second._id}`);
    expect(context.pages()).toHaveLength(before);

    await worker.push(await receivedFor(first._id, 'offer'));
    await onScreen(first.referenceNumber);
    await stage.server.call(stage.shop, 'PUT', `/shipping/${first._id}/cancel`, { body: {} });
    const withdrawn = await receivedFor(first._id, 'withdrawn');
    await worker.push(withdrawn);
    const { title, body } = withdrawn;
    await shows(worker, [{ title, body, tag: first._id, requireInteraction: false, data: { path: '/' } }]);
    await overHttp(stage.server.url, driver)('setAvailability', { available: false });
    await close();
  });
});

const addressIn = (postalCode: string) => ({
  ...{ recipientName: 'Nadia Benali', street: '112 boulevard Voltaire', city: 'Paris', postalCode },
  ...{ phoneNumber: '+33612345679', email: 'nadia@example.org', coordinates: { latitude: 48.858, longitude: 2.381 } },
});
