import { randomUUIDv7 } from 'node:crypto';
import type { ShipmentRequest } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDriver } from '../../../test/driver-app.ts';
import { type FakeMailbox, startFakeMailbox } from '../../../test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/fake-twilio.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker, workDone } from '../../../test/test-worker.ts';
import { createTwin } from '../../../test/twin.ts';
import type { Trigger } from '../shipments/lifecycle.ts';
import { readMessageSettings, saveMessageSettings } from './message-settings.ts';
import { writeMessages } from './write-messages.ts';

const PUBLIC_URL = 'http://navette.example';
const DRIVER = '01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60';
const SLOT = { scheduledDate: '2031-03-05', timeSlot: '14h-16h' };

let twilio: FakeTwilio;
let mailbox: FakeMailbox;
let server: TestServer;
let worker: TestWorker;
let shop: TestAccount;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  mailbox = await startFakeMailbox();
  server = await startTestServer({ SMS_URL: twilio.url, MAIL_URL: mailbox.url, PUBLIC_URL });
  worker = await startTestWorker(server);
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await Promise.all([twilio.stop(), mailbox.stop()]);
});

let people = 0;
/** A different person for each test, so that each test recognises its own messages. */
const somebody = () => {
  const number = String(++people).padStart(4, '0');
  return { phoneNumber: `+3361234${number}`, email: `person${number}@example.org` };
};
const deliveryTo = (person: { phoneNumber: string; email: string }) => ({
  deliveryAddress: { ...shipmentRequest().deliveryAddress, ...person },
});
const create = async (changes: Partial<ShipmentRequest>, account = shop) => {
  const { body } = await server.call(account, 'POST', '/shipping', { body: shipmentRequest(changes) });
  return body.shipping as { _id: string };
};
const moveOf = async (account: TestAccount, id: string, triggers: Trigger[]) => {
  for (const trigger of triggers) await moveShipment(server, account, id, trigger, { driverId: DRIVER });
  await workDone(server);
};
const rowsOf = (shipmentId: string) =>
  server.db.selectFrom('messages').selectAll().where('shipment_id', '=', shipmentId).orderBy('kind').execute();
const subjectsTo = ({ email }: { email: string }) => mailbox.sentTo(email).map(({ subject }) => subject);
const tokenIn = (text: string) => /\/t\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('by e-mail', () => {
  const settle = async (change: Parameters<typeof saveMessageSettings>[2]) => {
    const account = await server.createAccount({ paymentMode: 'deferred' });
    await server.db.transaction().execute((tx) => saveMessageSettings(tx, account.id, change, new Date()));
    return account;
  };

  test('the recipient learns once of a booked slot, the delivery with its proof, and how to reach the shop', async () => {
    const person = somebody();
    const { _id } = await create({ ...deliveryTo(person), ...SLOT });
    await moveOf(shop, _id, ['assign', 'pick_up', 'depart', 'deliver']);
    await Promise.all(Array.from({ length: 5 }, () => follow(_id, 'delivered')));
    await workDone(server);
    const subjects = subjectsTo(person);
    expect(subjects).toEqual(expect.arrayContaining(['Votre colis Atelier Zoé est livré']));
    expect(new Set(subjects).size).toBe(subjects.length);
    const delivered = mailbox.sentTo(person.email).find(({ subject }) => subject?.endsWith('livré'));
    expect(delivered?.text).toContain('Le code de livraison a été donné au livreur.');
  });

  test('a cancellation is sent once to recipients who were informed, and to nobody else', async () => {
    const [informed, other] = [somebody(), somebody()];
    const { _id } = await create({ ...deliveryTo(informed), ...SLOT });
    await workDone(server);
    const special = await server.createAccount({
      ...{ paymentMode: 'deferred', isSpecialRequest: true, agreedPickupTime: '17:30' },
    });
    const silent = await create(deliveryTo(other), special);
    for (const [account, id] of [
      [shop, _id],
      [special, silent._id],
    ] as const) {
      await server.call(account, 'PUT', `/shipping/${id}/cancel`);
      await server.call(account, 'PUT', `/shipping/${id}/cancel`);
    }
    await workDone(server);
    expect(subjectsTo(informed)).toEqual([
      'Votre colis Atelier Zoé : créneau réservé',
      'Votre livraison Atelier Zoé est annulée',
    ]);
    expect(subjectsTo(other)).toEqual([]);
  });

  test('kinds that are switched off are not written, and the contract’s messages cannot be', async () => {
    const off = (['booked-email', 'delivered-email', 'cancelled-email', 'next-email'] as const).map((kind) => ({
      kind,
      isOn: false,
    }));
    const account = await settle({ messages: off });
    const { _id } = await create({ ...deliveryTo(somebody()), ...SLOT }, account);
    await moveOf(account, _id, ['assign']); // its messages are not written for a shipment that has ended
    await moveOf(account, _id, ['pick_up', 'depart', 'deliver']);
    const cancelled = await create(deliveryTo(somebody()), account);
    await workDone(server);
    await server.call(account, 'PUT', `/shipping/${cancelled._id}/cancel`);
    await workDone(server);
    for (const id of [_id, cancelled._id])
      expect((await rowsOf(id)).map(({ kind }) => kind)).toEqual(['recipient-email', 'recipient-sms']);
    await server.db
      .transaction()
      .execute((tx) =>
        saveMessageSettings(tx, account.id, { messages: [{ kind: 'booked-email', isOn: true }] }, new Date()),
      );
    expect((await readMessageSettings(server.db, account.id)).messages.filter(({ isOn }) => isOn)).toHaveLength(5);
  });

  test('the shipment’s locale comes before the account’s language, for every message and its link', async () => {
    const account = await settle({ language: 'en' });
    const people = [somebody(), somebody(), somebody()];
    const locales = [undefined, 'fr-FR', 'de'];
    for (const [i, person] of people.entries()) {
      const metadata = locales[i] === undefined ? {} : { metadata: { locale: locales[i] } };
      await create({ ...deliveryTo(person), ...metadata }, account);
    }
    await workDone(server);
    const texts = people.map(({ phoneNumber }) => twilio.sentTo(phoneNumber)[0]?.body ?? '');
    expect(texts.map((text) => text.replace(/\/t\/[\w-]+/, '/t/…'))).toEqual([
      'Atelier Zoé is sending you an express parcel. Tracking and code for the driver: http://navette.example/t/…?lang=en',
      'Atelier Zoé vous envoie un colis en express. Suivi et code pour le livreur : http://navette.example/t/…?lang=fr',
      'Atelier Zoé is sending you an express parcel. Tracking and code for the driver: http://navette.example/t/…?lang=en',
    ]);
    expect(people.flatMap(subjectsTo)).toEqual([
      'Your parcel from Atelier Zoé: tracking and code',
      'Votre colis Atelier Zoé : suivi et code',
      'Your parcel from Atelier Zoé: tracking and code',
    ]);
    const page = await fetch(`${server.url}/t/${tokenIn(texts[0] ?? '')}?lang=en`);
    expect(await page.text()).toContain('<html lang="en">');
  });

  test('a proof is reported without the name of the person who signed', async () => {
    const person = somebody();
    const driver = await createTestDriver(server.db, { available: false });
    const { _id } = await create(deliveryTo(person));
    await moveOf(shop, _id, ['assign', 'pick_up', 'depart']);
    const proof = { account_id: shop.id, shipment_id: _id, driver_id: driver.id, content_type: 'image/png', bytes: 1 };
    const taken = { taken_at: new Date(), received_at: new Date(), sha256: '' };
    await server.db
      .insertInto('proofs')
      .values([
        { ...proof, ...taken, id: randomUUIDv7(), file_name: `${randomUUIDv7()}.png`, kind: 'photo' },
        {
          ...{ ...proof, ...taken, id: randomUUIDv7(), file_name: `${randomUUIDv7()}.png`, kind: 'signature' },
          ...{ signer_name: 'Madame Voisine', signer_relation: 'neighbour' },
        },
      ])
      .execute();
    await moveOf(shop, _id, ['deliver']);
    const delivered = mailbox.sentTo(person.email).find(({ subject }) => subject?.endsWith('livré'));
    expect(delivered?.text).toContain('Un voisin a signé à la livraison. Le livreur a pris une photo.');
    expect(`${delivered?.text}${delivered?.html}`).not.toContain('Voisine');
  });

  test('a photo of an earlier attempt is not reported as proof of the delivery', async () => {
    const person = somebody();
    const driver = await createTestDriver(server.db, { available: false });
    const { _id } = await create(deliveryTo(person));
    await moveOf(shop, _id, ['assign', 'pick_up', 'depart']);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await server.db
      .insertInto('proofs')
      .values({
        ...{ account_id: shop.id, id: randomUUIDv7(), shipment_id: _id, driver_id: driver.id, kind: 'photo' },
        ...{ file_name: `${randomUUIDv7()}.png`, content_type: 'image/png', bytes: 1, sha256: '' },
        ...{ taken_at: anHourAgo, received_at: anHourAgo },
      })
      .execute();
    await moveOf(shop, _id, ['deliver']);
    const delivered = mailbox.sentTo(person.email).find(({ subject }) => subject?.endsWith('livré'));
    expect(delivered?.text).toContain('Le code de livraison a été donné au livreur.');
    expect(delivered?.text).not.toContain('photo');
  });

  const follow = (shipmentId: string, status: 'delivered') =>
    server.db
      .transaction()
      .execute((tx) =>
        writeMessages(tx, server.jobs, server.config, [{ accountId: shop.id, shipmentId, status, eventId: null }]),
      );

  test('messages of a test twin are recorded with their texts, and not sent', async () => {
    const twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred' }));
    const person = somebody();
    const { _id } = await create({ ...deliveryTo(person), ...SLOT }, twin);
    await workDone(server);
    await server.call(twin, 'PUT', `/shipping/${_id}/cancel`);
    await workDone(server);
    expect(await rowsOf(_id)).toMatchObject([
      { kind: 'booked-email', status: 'recorded', attempts: 0 },
      { kind: 'cancelled-email', status: 'recorded', attempts: 0 },
    ]);
    expect(subjectsTo(person)).toEqual([]);
  });
});
