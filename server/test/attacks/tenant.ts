import { randomUUID } from 'node:crypto';
import { CSRF_HEADER } from '@navette/contract';
import { sql } from 'kysely';
import type { Services } from '../../src/app.ts';
import { assignAnyShipment } from '../../src/features/dispatch/index.ts';
import { createTestStaff, type TestStaff } from '../console.ts';
import { createTestMember, type TestMember } from '../dashboard.ts';
import { ship } from '../dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../driver-app.ts';
import { importFile, importLine } from '../import-file.ts';
import { recurringRequest } from '../recurring.ts';
import { shipmentRequest } from '../shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../test-server.ts';
import { workDone } from '../test-worker.ts';
import { withWorker } from '../with-worker.ts';
import type { Api } from './operations.ts';

/** An account that uses everything the service offers, a driver who carries its parcels, and a unique word in all of its texts. */
export interface Tenant {
  /** Part of every free text of this tenant, and of no other tenant. */
  canary: string;
  account: TestAccount;
  /** Several, so that none reaches a member's request limit. */
  owners: TestMember[];
  /** Has an active run and an open offer. */
  driver: TestDriver;
  /** Administrators of the delivery company, who act on every tenant; as many as owners. */
  staff: TestStaff[];
}

const OWNERS = 6; // enough for the requests per minute of all attacks
let tenants = 0;

/** A server whose limits leave room for thousands of attacks. */
export const startAttackedServer = (
  settings: Record<string, string> = {},
  services: Partial<Services> = {},
): Promise<TestServer> =>
  startTestServer(
    {
      LOG_LEVEL: 'error',
      DRIVER_REQUESTS_PER_MINUTE: '100000',
      TRUSTED_PROXIES: '127.0.0.1', // an attack may come from any address
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      DISPATCH_OFFER_SECONDS: '3600', // offers stay open while they are attacked
      ...settings,
    },
    services,
  );

export async function createTenant(server: TestServer, canary: string): Promise<Tenant> {
  // Far from every other tenant, so that its driver gets offers for its parcels only.
  const coordinates = { latitude: 43 + 0.5 * tenants++, longitude: 2.36 };
  const pickupAddress = { street: `1 rue ${canary}`, city: 'Paris', postalCode: '75001', coordinates };
  const email = `${canary}@example.org`;
  const account = await server.createAccount({ name: canary, email, pickupAddress, paymentMode: 'deferred' });
  const owners: TestMember[] = [];
  for (let i = 0; i < OWNERS; i++) {
    const person = { name: canary, email: `${canary}-${i}@example.org` };
    owners.push(await createTestMember(server, account.id, 'owner', person));
  }
  const staff: TestStaff[] = [];
  for (let i = 0; i < OWNERS; i++) staff.push(await createTestStaff(server));
  const driver = await createTestDriver(server.db, { firstName: canary });
  await shipEverything(server, account, canary);
  await useDashboard(owners[0] as TestMember, canary);
  const now = new Date();
  const payment = { id: randomUUID(), account_id: account.id, method: 'checkout', status: 'open', amount_cents: 5_000 };
  await server.db
    .insertInto('payments')
    .values({ ...payment, created_at: now, updated_at: now })
    .execute();
  const { referenceNumber } = await ship(server, account, shipmentOf(canary));
  await assignAnyShipment({ ...server, now }, referenceNumber, driver.id);
  await overHttp(server.url, driver)('sendPosition', coordinates);
  await ship(server, account, shipmentOf(canary)); // offered to the driver at this place
  await withWorker(server, () => workDone(server));
  const { body } = await overHttp(server.url, driver)('listOffers');
  if (body.offers.length === 0) throw new Error('the driver was offered nothing');
  return { canary, account, owners, driver, staff };
}

const shipmentOf = (canary: string) => ({
  deliveryAddress: {
    recipientName: canary,
    street: `8 rue ${canary}`,
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: `${canary}@example.org`,
    coordinates: { latitude: 48.8638, longitude: 2.3345 },
  },
  notes: canary,
  metadata: { note: canary },
  externalReference: { orderId: canary },
  groupReference: canary,
});

export async function shipEverything(server: TestServer, account: TestAccount, canary: string): Promise<void> {
  const webhook = { url: `http://127.0.0.1:65530/${canary}`, events: ['shipping.created'] };
  const { status } = await server.call(account, 'POST', '/webhooks', { body: webhook });
  if (status !== 201) throw new Error('no webhook');
  await ship(server, account, { ...shipmentOf(canary), scheduledDate: '2030-05-20', timeSlot: '14h-16h' });
  const collectionContact = { name: canary, phoneNumber: '+33612345678', email: `${canary}@example.org` };
  await ship(server, account, { ...shipmentOf(canary), isCollection: true, collectionContact });
}

async function useDashboard({ call }: TestMember, canary: string): Promise<void> {
  const lines = [importLine(canary, { Destinataire: canary }), importLine(canary, { Destinataire: canary, Ville: '' })];
  const file = { filename: `${canary}.csv`, text: importFile(lines) };
  const shipment = { ...shipmentRequest(), ...shipmentOf(canary) };
  const steps = [
    await call('previewImport', { body: file }),
    await call('createRecurring', {
      headers: { 'x-idempotency-key': randomUUID() },
      body: recurringRequest({ startsOn: '2030-01-01', shipment }),
    }),
    await call('inviteMember', { body: { email: `${canary}-new@example.org`, role: 'developer' } }),
    await call('createKey', { body: { name: canary, scopes: ['read'] } }),
  ];
  const failed = steps.find(({ status }) => status !== 201);
  if (failed) throw new Error(JSON.stringify(failed.body));
}

/** Headers with the credentials of this tenant; creations of the dashboard need an idempotency key. */
export function credentialsOf({ account, owners, driver, staff }: Tenant, api: Api, nth = 0): Record<string, string> {
  const json = { 'content-type': 'application/json' };
  if (api === 'merchant') return { ...json, authorization: `Bearer ${account.key}`, 'x-client-id': account.clientId };
  if (api === 'driver') return { ...json, authorization: `Bearer ${driver.token}` };
  const people = api === 'console' ? staff : owners;
  const { cookie, csrfToken } = people[nth % people.length] as TestMember | TestStaff;
  return { ...json, cookie, [CSRF_HEADER]: csrfToken, 'x-idempotency-key': randomUUID() };
}

/** Every id and reference that the database holds of the tenant, in any table with an account column. */
export async function idsOf({ db }: Pick<TestServer, 'db'>, { account, driver }: Tenant): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string; owner: 'account_id' | 'driver_id' }>`
    select c.table_name as table, c.column_name as column, o.column_name as owner
    from information_schema.columns c
    join information_schema.columns o using (table_schema, table_name)
    where c.table_schema = 'public' and o.column_name in ('account_id', 'driver_id')
      and (c.data_type = 'uuid' or c.column_name = 'reference_number')`.execute(db);
  const ids = new Set([account.id, driver.id, account.clientId]);
  for (const { table, column, owner } of columns) {
    const { rows } = await sql<{ id: string }>`
      select distinct ${sql.ref(column)}::text as id from ${sql.table(table)}
      where ${sql.ref(owner)} = ${owner === 'account_id' ? account.id : driver.id} and ${sql.ref(column)} is not null
      limit 2`.execute(db);
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

/** Tables with times of last use, or that the worker fills. */
const RESTLESS = [
  'member_sessions',
  'driver_sessions',
  'api_keys',
  'driver_searches',
  'driver_offers',
  'staff_sessions',
];

/** All relevant rows by table: equal as long as nothing was written. */
export async function snapshot({ db }: Pick<TestServer, 'db'>): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any(${RESTLESS})`.execute(db);
  const prints = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ print: string }>`
        select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${sql.table(name)} t`.execute(
        db,
      );
      return [name, rows[0]?.print ?? ''] as const;
    }),
  );
  return Object.fromEntries(prints);
}

/** The tables whose rows have changed. */
export const changedTables = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).flatMap((table) => (before[table] === after[table] ? [] : [`${table} has changed`]));
