import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestStaff } from '../../../test/console.ts';
import { createTestMember } from '../../../test/dashboard.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type SendCommand, type TestDriver } from '../../../test/driver-app.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { assignAnyShipment, confirmAnyDelivery, resolveAnyIncident } from '../dispatch/index.ts';
import { signReference } from '../shipments/index.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

let server: TestServer;
let shop: TestAccount;
let ana: TestDriver;
let send: SendCommand;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  ana = await createTestDriver(server.db);
  send = overHttp(server.url, ana);
});
afterAll(() => server.stop());

const operator = () => ({ db: server.db, jobs: server.jobs, config: server.config, now: new Date() });
async function carried() {
  const { _id: id, referenceNumber } = await ship(server, shop);
  await assignAnyShipment(operator(), referenceNumber, ana.id);
  await send('pickUp', { id });
  await send('depart', { id });
  const link = (purpose: 'track' | 'collect') =>
    `${server.url}/t/${signReference(server.config.linkSecrets, purpose, referenceNumber)}`;
  return { id, referenceNumber, track: link('track'), collect: link('collect') };
}
const deliver = async (id: string) => send('deliver', { id, deliveryCode: (await factsOf(server, id)).code });
const prove = async (id: string, kind: 'photo' | 'signature', more = {}): Promise<string> =>
  (await send('addProof', { id, kind, content: PIXEL, commandId: randomUUID(), ...more })).body.proof.id;
const pageOf = async (track: string, lang = 'fr') => (await fetch(`${track}?lang=${lang}`)).text();

describe('after the delivery the recipient sees', () => {
  test('that it was handed over with the code, and when', async () => {
    const { id, track } = await carried();
    expect(await pageOf(track)).not.toContain('Preuve de livraison');
    await deliver(id);
    expect(await pageOf(track)).toMatch(/Remis contre votre code .*à \d\d:\d\d/);
    expect(await pageOf(track, 'en')).toMatch(/Handed over with your code .*at \d\d:\d\d/);
  });

  test('that the operator confirmed it, or that another person has it, without reason or name', async () => {
    const [confirmed, left] = [await carried(), await carried()];
    await confirmAnyDelivery(operator(), confirmed.referenceNumber, 'seen by camera');
    await send('reportIncident', { id: left.id, kind: 'recipient_absent', commandId: randomUUID() });
    const decision = { resolution: 'left_with', leftWith: 'Mme Petit', reason: 'by phone' } as const;
    await resolveAnyIncident(operator(), left.referenceNumber, decision);
    expect(await pageOf(confirmed.track)).toContain('Livraison confirmée par notre équipe');
    expect(await pageOf(confirmed.track)).not.toContain('camera');
    expect(await pageOf(left.track)).toContain('Remis à une autre personne');
    expect(await pageOf(left.track)).not.toMatch(/Petit|by phone/);
  });

  test('the relation of the person who signed, never the name or the signature', async () => {
    const { id, track } = await carried();
    await deliver(id);
    const signature = await prove(id, 'signature', { signerName: 'Léa Petit', signerRelation: 'neighbour' });
    const text = await pageOf(track);
    expect(text).toContain('Signé par un voisin ou une voisine.');
    expect(text).not.toContain('Petit');
    expect(text).not.toContain(signature);
    expect((await fetch(`${track}/photos/${signature}`)).status).toBe(404);
  });

  test('the photo of their own parcel, by their own link only, and not one of an earlier attempt', async () => {
    const [own, other] = [await carried(), await carried()];
    const doneAt = new Date(Date.now() - 3_600_000).toISOString();
    const earlier = await prove(own.id, 'photo', { doneAt });
    const photo = await prove(own.id, 'photo');
    const url = `${own.track}/photos/${photo}`;
    expect((await fetch(url)).status).toBe(404); // not delivered yet
    await deliver(own.id);
    await deliver(other.id);
    const text = await pageOf(own.track);
    expect(text).toContain(`/photos/${photo}"`);
    expect(text).not.toContain(earlier);
    const file = await fetch(url);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    for (const wrong of [
      `${own.track}/photos/${earlier}`,
      `${other.track}/photos/${photo}`,
      `${own.collect}/photos/${photo}`,
      `${own.track}/photos/x`,
    ])
      expect((await fetch(wrong)).status).toBe(404);
    await eraseShipment(server, shop.id, own.id);
    expect((await fetch(url)).status).toBe(404);
  });
});

test('the note of the recipient is shown to members who ship and staff who dispatch, until the erasure', async () => {
  const { _id: id, referenceNumber } = await ship(server, shop);
  const track = `${server.url}/t/${signReference(server.config.linkSecrets, 'track', referenceNumber)}`;
  await fetch(`${track}/note`, { method: 'POST', body: new URLSearchParams({ note: 'Code 12A' }), redirect: 'manual' });
  const asMember = async (role: 'operations' | 'developer' | 'read-only') => {
    const member = await createTestMember(server, shop.id, role);
    return (await member.call('readShipment', { params: { id } })).body.recipientNote;
  };
  const asStaff = async (role: 'dispatcher' | 'accountant') => {
    const staff = await createTestStaff(server, role);
    return (await staff.call('readShipmentPage', { params: { id } })).body.shipment.recipientNote;
  };
  expect(await asMember('operations')).toBe('Code 12A');
  expect(await asMember('developer')).toBe('Code 12A');
  expect(await asMember('read-only')).toBe(null);
  expect(await asStaff('dispatcher')).toBe('Code 12A');
  expect(await asStaff('accountant')).toBe(null);
  await eraseShipment(server, shop.id, id);
  expect([await asMember('operations'), await asStaff('dispatcher')]).toEqual([null, null]);
});
