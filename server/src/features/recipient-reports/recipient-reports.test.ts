import type { InboxEntry } from '@navette/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { ship } from '../../../test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../../test/driver-app.ts';
import { eraseShipment } from '../../../test/erase-shipment.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { signReference } from '../shipments/index.ts';

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
let staff: TestStaff;
let driver: TestDriver;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred', name: 'Fleurs & Fils' });
  [member, staff, driver] = [
    await createTestMember(server, shop.id),
    await createTestStaff(server, 'support', { name: 'Léa Morel' }),
    await createTestDriver(server.db),
  ];
});
afterAll(() => server.stop());

let minute = 0;
beforeEach(() => server.setNow(new Date(Date.now() + ++minute * 60_000))); // forms are counted per minute and address

async function ended(...triggers: Parameters<typeof moveShipment>[3][]) {
  const { _id: id, referenceNumber } = await ship(server, shop);
  for (const trigger of triggers) await moveShipment(server, shop, id, trigger, { driverId: driver.id });
  const link = (purpose: 'track' | 'collect') =>
    `${server.url}/t/${signReference(server.config.linkSecrets, purpose, referenceNumber)}`;
  return { id, referenceNumber, track: link('track'), collect: link('collect') };
}
const delivered = () => ended('assign', 'pick_up', 'depart', 'deliver');
const report = (track: string, fields: Record<string, string>) =>
  fetch(`${track}/report?lang=fr`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const pageOf = async (track: string, lang = 'fr') => (await fetch(`${track}?lang=${lang}`)).text();
const reportsOf = async (id: string) => (await member.call('readShipment', { params: { id } })).body.reports;
const entriesOf = async (id: string): Promise<InboxEntry[]> => {
  const { body } = await staff.call('listInbox', { query: { kind: 'recipient_report' } });
  return body.entries.filter(({ subject }: InboxEntry) => subject.id === id);
};
const close = (id: string, as = staff) => as.call('closeReport', { params: { id }, body: { reason: 'Remboursé' } });

describe('a problem that the recipient reports', () => {
  test('reaches inbox, merchant and shipment page, and is closed once, with a trace', async () => {
    const { id, referenceNumber, track } = await delivered();
    expect(await pageOf(track)).toContain('Signaler un problème');
    const sent = await report(track, { kind: 'damaged', message: '  Vase <b>cassé</b>\u0007 ' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringMatching(/\?lang=fr#report$/)]);
    expect(await entriesOf(id)).toMatchObject([
      { kind: 'recipient_report', subject: { title: referenceNumber }, facts: { report: 'damaged' }, state: 'open' },
    ]);
    const open = { kind: 'damaged', message: 'Vase <b>cassé</b>', closedAt: null, outcome: null };
    expect(await reportsOf(id)).toMatchObject([open]);
    const shown = (await staff.call('readShipmentPage', { params: { id } })).body;
    expect(shown.shipment.hasOpenReport).toBe(true);
    expect(shown.story).toContainEqual(
      expect.objectContaining({ kind: 'report_opened', facts: { report: 'damaged', note: open.message } }),
    );
    expect(await pageOf(track)).toContain('Notre équipe s’en occupe');
    expect(await pageOf(track, 'en')).toContain('Our team is looking into it');
    expect(await pageOf(track)).not.toContain('Signaler un problème');

    expect(await close(id)).toMatchObject({ status: 200, body: { success: true } });
    expect(await close(id)).toMatchObject({ status: 409, body: { error: 'NOT_POSSIBLE_NOW', why: 'report_closed' } });
    expect(await entriesOf(id)).toEqual([]);
    expect(await reportsOf(id)).toMatchObject([{ outcome: 'Remboursé', closedAt: expect.any(String) }]);
    expect(await pageOf(track)).toContain('Votre signalement a été traité');
    const acts = await server.db
      .selectFrom('operator_acts')
      .select(['act', 'actor', 'reason'])
      .where('subject_id', '=', id)
      .execute();
    expect(acts).toEqual([{ act: 'report.closed', actor: 'Léa Morel', reason: 'Remboursé' }]);
    expect(server.logged()).not.toContain('cassé');
  });

  test('is one at a time, however often it is sent at once, and three in all', async () => {
    const { id, track } = await delivered();
    for (let round = 1; round <= 4; round++) {
      await Promise.all([1, 2, 3].map((i) => report(track, { kind: 'other', message: `${round}.${i}` })));
      expect(await reportsOf(id)).toHaveLength(Math.min(round, 3));
      await close(id);
    }
    expect(await pageOf(track)).not.toContain('Signaler un problème');
  });

  test('is bounded, needs words or a kind, and is possible after a cancellation', async () => {
    const { id, track } = await ended('cancel');
    for (const fields of [{ kind: 'other', message: ' ' }, { kind: 'unheard-of', message: 'x' }, { message: 'x' }])
      expect((await report(track, fields as Record<string, string>)).status).toBe(303);
    expect(await reportsOf(id)).toEqual([]);
    await report(track, { kind: 'other', message: `${'x'.repeat(499)}👋🏽` });
    expect(await reportsOf(id)).toMatchObject([{ message: 'x'.repeat(499) }]);
    expect((await report(track, { kind: 'other', message: 'x'.repeat(9_000) })).status).toBeGreaterThanOrEqual(400);
  });

  test('is refused before the end, for the contact of a collection, and after too many forms of one address', async () => {
    const [early, late] = [await ended('assign'), await delivered()];
    await report(early.track, { kind: 'damaged' });
    await report(late.collect, { kind: 'damaged' });
    expect([await reportsOf(early.id), await reportsOf(late.id)]).toEqual([[], []]);
    expect(await pageOf(late.collect)).not.toContain('Signaler un problème');
    const statuses = [];
    for (let i = 0; i < 20; i++) statuses.push((await report(late.track, { kind: 'damaged' })).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2); // the two above were counted
  });

  test('is read and closed by roles that may, of live accounts only', async () => {
    const { id, track } = await delivered();
    await report(track, { kind: 'not_received', message: 'Appelez Camille' });
    const accountant = await createTestStaff(server, 'accountant');
    const { body } = await accountant.call('readShipmentPage', { params: { id } });
    expect(JSON.stringify(body)).not.toContain('Camille');
    for (const role of ['accountant', 'dispatcher'] as const)
      expect((await close(id, await createTestStaff(server, role))).status).toBe(403);
    expect(await close('01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60')).toMatchObject({ status: 404 });
    const stranger = await createTestMember(server, (await server.createAccount()).id);
    expect((await stranger.call('readShipment', { params: { id } })).status).toBe(404);
    expect(await entriesOf(id)).toHaveLength(1);
    const { id: live } = await server.createAccount();
    await server.db.updateTable('accounts').set({ live_account_id: live }).where('id', '=', shop.id).execute();
    expect(await entriesOf(id)).toEqual([]);
    expect(await close(id)).toMatchObject({ status: 404 });
    await server.db.updateTable('accounts').set({ live_account_id: null }).where('id', '=', shop.id).execute();
  });

  test('ends with the shipment’s personal data', async () => {
    const { id, track } = await delivered();
    await report(track, { kind: 'damaged', message: 'Vase cassé' });
    await eraseShipment(server, shop.id, id);
    expect(await reportsOf(id)).toEqual([]);
    expect(await entriesOf(id)).toEqual([]);
  });
});
