import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember } from '../../../test/dashboard.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { type FakeGeocoder, startFakeGeocoder } from '../../../test/fake-geocoder.ts';
import { importFile, importLine } from '../../../test/import-file.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { newPerson, type Person, requestFor, tracesOf } from '../../../test/people.ts';
import { everythingKept } from '../../../test/search-everything.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { workDone } from '../../../test/test-worker.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { openLabelStore, openProofStore } from '../../adapters/files/open-file-store.ts';
import { auditErasedKeys, auditPersonalData } from './audit.ts';
import { erasePersonalData } from './erase-personal-data.handler.ts';

const HOURS_MS = 3_600_000;
const COMMANDS = { timeout: 600_000 }; // each test starts some, a second of CPU each

let server: TestServer;
let geocoder: FakeGeocoder;
let shop: TestAccount;
let other: TestAccount;
const person = newPerson();
const neighbour = newPerson();
let memberId: string;
let driverId: string;
let [ended, endedElsewhere, underWay, notTheirs] = ['', '', '', ''];
let waitingReference: string;

/** Moves the end of ended shipments two hours into the past. */
beforeAll(async () => {
  geocoder = await startFakeGeocoder();
  server = await startTestServer({ GEOCODER_URL: geocoder.url });
  [shop, other] = [
    await server.createAccount({ paymentMode: 'deferred' }),
    await server.createAccount({ paymentMode: 'deferred' }),
  ];
  const member = await createTestMember(server, shop.id, 'owner', { email: person.email });
  memberId = member.id;
  driverId = (await createTestDriver(server.db)).id;
  await server.db.updateTable('drivers').set({ phone_number: person.phone }).where('id', '=', driverId).execute();

  await withWorker(server, async () => {
    server.setNow(new Date(Date.now() - 3 * HOURS_MS));
    const { coordinates: _, ...address } = requestFor(person).deliveryAddress;
    ended = await create(shop, { ...requestFor(person), deliveryAddress: address });
    endedElsewhere = await create(other, {
      ...requestFor(neighbour), // collected at the person's place, whose number is written as people write it
      isCollection: true,
      collectionContact: { phoneNumber: nationalForm(person), email: person.email.toUpperCase(), name: person.name },
    });
    notTheirs = await create(other, requestFor(neighbour));
    await server.call(shop, 'POST', `/shipping/${ended}/view-link`);
    await workDone(server);
    for (const [account, id] of [
      [shop, ended],
      [other, endedElsewhere],
      [other, notTheirs],
    ] as const)
      await moveShipment(server, account, id, 'cancel', { now: new Date(Date.now() - 2 * HOURS_MS) });
    server.setNow(null);
    underWay = await create(shop, requestFor(person));
    const line = importLine('bad', { 'E-mail': person.email, Téléphone: '', Destinataire: person.name });
    await member.call('previewImport', { body: { filename: 'x.csv', text: importFile([line]) } });
    await workDone(server);
  });
  waitingReference = (await server.call(shop, 'GET', `/shipping/${underWay}`)).body.shipping.referenceNumber;
});
afterAll(async () => {
  await server.stop();
  await geocoder.stop();
});

async function create(account: TestAccount, body: unknown): Promise<string> {
  const answer = await server.call(account, 'POST', '/shipping', { body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.shipping._id;
}
const nationalForm = ({ phone }: Person) => `0${phone.slice(3)}`.replaceAll(/(..)(?=.)/g, '$1.');
const navette = (...args: string[]) => runNavette(['person', ...args], server.environment);
const idsIn = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

describe('navette person export', COMMANDS, () => {
  test.each([
    ['--email', person.email.toLowerCase(), 1],
    ['--phone', person.phone, 0], // the line of the import has none
  ])(
    '%s finds every shipment, message, event and import line of the person, and nobody else’s',
    async (option, value, lines) => {
      const { code, stdout, stderr } = await navette('export', option, value);
      expect(code).toBe(0);
      expect(stderr).toContain('shipments: 100 %');
      const { held } = JSON.parse(stdout);
      expect(idsIn(held.shipments)).toEqual([ended, endedElsewhere, underWay].sort());
      expect(held.shipments.find(({ id }: { id: string }) => id === ended).delivery_address).toMatchObject({
        recipientName: person.name,
        street: person.street,
      });
      const theirs = (rows: { shipment_id: string }[]) => [...new Set(rows.map((row) => row.shipment_id))].sort();
      expect(theirs(held.events)).toEqual([ended, endedElsewhere, underWay].sort());
      expect(theirs(held.messages)).toEqual([ended, endedElsewhere, underWay].sort());
      expect(held.events.some(({ body }: { body: string }) => body.includes(person.name))).toBe(true);
      expect(stdout).not.toContain(notTheirs);
      expect(held.import_lines ?? []).toHaveLength(lines);
    },
  );

  test('lists the member and the driver, with the command that removes them', async () => {
    const byEmail = JSON.parse((await navette('export', '--email', person.email)).stdout);
    expect(byEmail.held.members).toMatchObject([{ id: memberId, email: person.email }]);
    expect(byEmail.endsOtherwise).toContainEqual({
      table: 'members',
      id: memberId,
      how: `navette account remove-member ${shop.id} ${person.email}`,
    });
    const byPhone = JSON.parse((await navette('export', '--phone', person.phone)).stdout);
    expect(byPhone.endsOtherwise).toContainEqual({
      table: 'drivers',
      id: driverId,
      how: expect.stringContaining(`navette driver disable ${driverId}`),
    });
  });

  test('contains no secret: no delivery code, label link, password or token', async () => {
    const { stdout } = await navette('export', '--email', person.email);
    const rows = await server.db.selectFrom('shipments').select(['delivery_code', 'label_suffix']).execute();
    for (const { delivery_code: code, label_suffix: suffix } of rows) {
      expect(stdout).not.toContain(`"${code}"`);
      expect(stdout).not.toContain(suffix);
    }
    expect(stdout).not.toMatch(/argon2|_hash"|sealed/);
  });

  test('--output writes a file readable by its owner only, and overwrites none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'navette-person-'));
    const file = join(folder, 'person.json');
    try {
      const args = ['export', '--email', person.email, '--output', file];
      expect(await navette(...args)).toMatchObject({ code: 0, stdout: '' });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(JSON.parse(await readFile(file, 'utf8')).subject).toEqual({
        kind: 'email',
        value: person.email.toLowerCase(),
      });
      expect(await navette(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot write') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    [[]],
    [['--email', 'a@example.org', '--phone', '+33612345678']],
    [['--email', 'nobody']],
    [['--phone', '0612345678']],
  ])('is used wrongly with %j', async (args) => {
    expect((await navette('export', ...args)).code).toBe(2);
  });
});

describe('navette person erase', COMMANDS, () => {
  test('asks for a reason', async () => {
    expect((await navette('erase', '--email', person.email)).code).not.toBe(0);
    expect((await navette('erase', '--email', person.email, '--reason', ' ')).code).toBe(2);
  });

  test('erases ended shipments at once, lists those in progress, and keeps a receipt without personal data', async () => {
    const before = await openLabelStore(server.config).read(await labelOf(ended));
    expect(before).not.toBe(null);
    const { code, stdout } = await navette('erase', '--phone', person.phone, '--reason', 'request 2031-07', '--json');
    expect(code).toBe(0);
    const receipt = JSON.parse(stdout);
    expect(receipt).toMatchObject({
      counts: { shipments: 2, waiting: 1, importLines: 0, geocodedAddresses: 1 },
      waiting: [waitingReference],
      endsOtherwise: [{ table: 'drivers', id: driverId }],
    });
    expect(await openLabelStore(server.config).read(await labelOf(ended))).toBe(null);
    const rows = await server.db.selectFrom('erasure_receipts').selectAll().execute();
    expect(rows).toMatchObject([{ id: receipt.id, reason: 'request 2031-07', counts: receipt.counts }]);
    expect(tracesOf(person).filter((trace) => JSON.stringify(rows).toLowerCase().includes(trace))).toEqual([]);
    const erased = await server.db
      .selectFrom('shipments')
      .select('id')
      .where('personal_data_erased_at', 'is not', null)
      .execute();
    expect(idsIn(erased)).toEqual([ended, endedElsewhere].sort());
    const findings = [
      ...(await auditPersonalData(server.db, server.config, new Date())),
      ...(await auditErasedKeys(server.db)),
    ];
    expect(findings.filter(({ broken }) => broken > 0)).toEqual([]);
  });

  test('by e-mail erases import lines too, and keeps one request per shipment', async () => {
    const { stdout } = await navette('erase', '--email', person.email, '--reason', 'request 2031-08', '--json');
    const receipt = JSON.parse(stdout);
    expect(receipt).toMatchObject({
      counts: { shipments: 0, waiting: 1, importLines: 1 },
      waiting: [waitingReference],
    });
    expect(receipt.endsOtherwise).toContainEqual(expect.objectContaining({ table: 'members', id: memberId }));
    expect(await server.db.selectFrom('erasure_requests').select('shipment_id').execute()).toEqual([
      { shipment_id: underWay },
    ]);
  });

  test('erases the other shipments once they have ended and their follow-up work is done', async () => {
    const run = (now: Date) => {
      const { db, jobs, config, app } = server;
      const stores = { labels: openLabelStore(config), proofs: openProofStore(config) };
      return erasePersonalData({ db, jobs, stores, config, registry: new Registry(), log: app.log }, () => now)();
    };
    const isErased = async () =>
      (
        await server.db
          .selectFrom('shipments')
          .select('personal_data_erased_at as at')
          .where('id', '=', underWay)
          .executeTakeFirst()
      )?.at;
    await run(new Date());
    expect(await isErased()).toBe(null);
    await moveShipment(server, shop, underWay, 'cancel');
    await run(new Date(Date.now() + HOURS_MS / 2));
    expect(await isErased()).toBe(null);

    const event = await server.db
      .selectFrom('events')
      .select('id')
      .where('shipment_id', '=', underWay)
      .executeTakeFirstOrThrow();
    const delivery = { account_id: shop.id, event_id: event.id, webhook_id: event.id };
    await server.db.insertInto('webhook_deliveries').values(delivery).execute();
    await run(new Date(Date.now() + 2 * HOURS_MS));
    expect(await isErased()).toBe(null); // a webhook still waits for it
    await sql`update webhook_deliveries set status = 'delivered', settled_at = now()`.execute(server.db);
    await run(new Date(Date.now() + 2 * HOURS_MS));
    expect(await isErased()).not.toBe(null);
    expect(await server.db.selectFrom('erasure_requests').selectAll().execute()).toEqual([]);
    expect(await server.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });

  test('with member and driver removed, no data of the person is left, and all data of others is', async () => {
    const removed = await runNavette(
      ['account', 'remove-member', shop.id, person.email.toLowerCase()],
      server.environment,
    );
    expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining('propriétaire') }); // the last owner stays
    await createTestMember(server, shop.id, 'owner');
    expect(await runNavette(['account', 'remove-member', shop.id, person.email], server.environment)).toMatchObject({
      code: 0,
    });
    await server.db.updateTable('drivers').set({ phone_number: '+33611111111' }).where('id', '=', driverId).execute();
    const kept = await everythingKept(server, ['member_acts']); // the security log keeps whom it was done to, on purpose
    expect(tracesOf(person).filter((trace) => kept.includes(trace))).toEqual([]);
    expect(kept).toContain(neighbour.name.toLowerCase());
    const again = JSON.parse((await navette('export', '--phone', person.phone)).stdout);
    expect(again.held).toEqual({});
  });

  const labelOf = async (id: string) => {
    const row = await server.db
      .selectFrom('shipments')
      .select(['reference_number', 'label_suffix'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return `bordereau_${row.reference_number}_${row.label_suffix}.pdf`;
  };
});

describe('navette person receipts', COMMANDS, () => {
  test('finds the receipts of a person by their e-mail address', async () => {
    const receipts = async (...args: string[]) => JSON.parse((await navette('receipts', ...args, '--json')).stdout);
    expect(await receipts()).toHaveLength(2);
    expect(await receipts('--email', person.email)).toMatchObject([
      { by: 'email', reason: 'request 2031-08', waiting: 0 },
    ]);
    expect(await receipts('--phone', person.phone)).toMatchObject([{ by: 'phone', reason: 'request 2031-07' }]);
    expect(await receipts('--email', neighbour.email)).toEqual([]);
  });
});
