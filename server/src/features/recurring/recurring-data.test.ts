import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { recurringRequest } from '../../../test/recurring.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { createTwin, switchMode } from '../../../test/twin.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { openLabelStore, openProofStore } from '../../adapters/files/open-file-store.ts';
import { erasePersonalData } from '../personal-data/erase-personal-data.handler.ts';
import { erasePerson } from '../personal-data/index.ts';

const DAY_MS = 86_400_000;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const newMember = async () => {
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  return { shop, member: await createTestMember(server, shop.id) };
};
let keys = 0;
async function create(member: TestMember, email = 'camille@example.org'): Promise<string> {
  const shipment = shipmentRequest();
  const body = recurringRequest({
    weekdays: EVERY_DAY,
    shipment: { ...shipment, deliveryAddress: { ...shipment.deliveryAddress, email } },
  });
  const headers = { 'x-idempotency-key': `form-${++keys}` };
  return (await member.call('createRecurring', { body, headers })).body.recurring.id;
}
const setState = (member: TestMember, id: string, state: 'paused' | 'ended') =>
  member.call('setRecurringState', { params: { id }, body: { state } });
const read = async (member: TestMember, id: string) =>
  (await member.call('readRecurring', { params: { id } })).body.recurring;

async function eraseInDays(days: number): Promise<void> {
  const { db, jobs, config } = server;
  const stores = { labels: openLabelStore(config), proofs: openProofStore(config) };
  const erasing = { db, jobs, stores, config, registry: new Registry(), log: server.app.log };
  await erasePersonalData(erasing, () => new Date(Date.now() + days * DAY_MS))();
}

describe('the personal data of a recurring shipment', () => {
  test('is erased 30 days after its end, and after a pause as long as the retention of shipments', async () => {
    const { member } = await newMember();
    const [active, paused, ended] = [await create(member), await create(member), await create(member)];
    await setState(member, paused, 'paused');
    await setState(member, ended, 'ended');
    const names = async () =>
      Promise.all([active, paused, ended].map(async (id) => (await read(member, id)).recipientName));
    await eraseInDays(29);
    expect(await names()).toEqual(['Camille Durand', 'Camille Durand', 'Camille Durand']);
    await eraseInDays(31);
    expect(await names()).toEqual(['Camille Durand', 'Camille Durand', null]);
    await eraseInDays(397);
    expect(await names()).toEqual(['Camille Durand', null, null]);
    expect(await read(member, paused)).toMatchObject({ state: 'ended', shipment: null, createdBy: null });
  });

  test('is erased with the person, whose recurring shipment ends', async () => {
    const { member } = await newMember();
    const [theirs, other] = [await create(member, 'zelda@example.org'), await create(member)];
    const request = { reason: 'request', systemUser: 'root', now: new Date() };
    const context = { db: server.db, store: openLabelStore(server.config) };
    const receipt = await erasePerson(context, { kind: 'email', value: 'zelda@example.org' }, request);
    expect(receipt).toMatchObject({ counts: { recurring: 1 }, endsOtherwise: [] });
    expect(await read(member, theirs)).toMatchObject({ state: 'ended', shipment: null, upcoming: [] });
    expect((await read(member, other)).state).toBe('active');
  });
});

describe('in test mode', () => {
  test('occurrences are created when the clock of the twin passes them, at its time, and deleted with the twin', async () => {
    const { shop, member } = await newMember();
    const twin = await createTwin(server, shop);
    const tester = await switchMode(server, member, 'test');
    const id = await create(tester);
    const to = new Date(Date.now() + 5 * DAY_MS);
    let status = 202; // while it takes longer than a call may
    await withWorker(server, async () => {
      const body = { to: to.toISOString() };
      while (status === 202) ({ status } = await server.call(twin, 'POST', '/test/clock', { body }));
    });
    expect(status).toBe(200);
    const { rows } = await sql<{ aheadHours: number }>`
      select extract(epoch from slot_starts_at - created_at)::int / 3600 as "aheadHours" from shipments
      where account_id = ${twin.id} and platform = 'recurring' order by slot_starts_at`.execute(server.db);
    expect(rows.length).toBeGreaterThanOrEqual(7);
    expect(rows.slice(3).map(({ aheadHours }) => aheadHours)).toEqual(rows.slice(3).map(() => 72));
    expect((await read(tester, id)).past.map(({ state }: { state: string }) => state)).not.toContain('missed');
    const live = await createTestMember(server, shop.id);
    expect((await live.call('listRecurring')).body.recurring).toEqual([]); // the live account has none
    expect(await brokenInvariants(server)).toEqual([]);
    expect((await server.call(twin, 'DELETE', '/test/data')).status).toBe(200);
    expect((await tester.call('listRecurring')).body.recurring).toEqual([]);
  });
});
