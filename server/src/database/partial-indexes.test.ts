import { sql } from 'kysely';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILLED, fillTables, idOf, LARGE_ACCOUNT } from '../../test/fill-tables.ts';
import { readsOf } from '../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createKeyedMutex } from '../concurrency/keyed-mutex.ts';
import { listAnyWaiting } from '../features/approvals/approval-rows.ts';
import { readDriverFacts } from '../features/dispatch/candidates.ts';
import { listAsked } from '../features/dispatch/end-search.ts';
import {
  listAnyCodeLocked,
  listAnyDue,
  listAnyStandingZones,
  listAnyUnassigned,
  listAnyWithoutLocation,
  listAnyWithoutPickupTime,
  measureDispatch,
} from '../features/dispatch/index.ts';
import { lockActiveSearch, lockActiveSearches } from '../features/dispatch/searches.ts';
import { listAnyBoardShipments } from '../features/dispatch-board/list-board-shipments.ts';
import { hasCapacity, isNextStop } from '../features/drivers/active-runs.ts';
import { endSessions } from '../features/drivers/end-sessions.ts';
import { listDrivers } from '../features/drivers/index.ts';
import { readFeed, readFeedEnd } from '../features/event-feed/read-feed.ts';
import { readEndedRuns } from '../features/figures/read-facts.ts';
import { eraseImports } from '../features/imports/erase-imports.handler.ts';
import { writeErrorFile } from '../features/imports/import-files.ts';
import { readImport } from '../features/imports/read-imports.ts';
import { runImport } from '../features/imports/run-import.handler.ts';
import { listAnyOpenIncidents } from '../features/incidents/index.ts';
import { createStopMap } from '../features/live-map/list-stops.ts';
import { eraseMessages } from '../features/messages/erase-messages.handler.ts';
import { listAnyFailedMessages, measureUnsentMessages } from '../features/messages/index.ts';
import { erasePersonalData } from '../features/personal-data/erase-personal-data.handler.ts';
import { listAnyOpenReports } from '../features/recipient-reports/index.ts';
import { abandonRun, type RunContext } from '../features/runs/move-run.ts';
import { listOffersToDriver } from '../features/runs/offers.ts';
import { listEndedRuns, listRuns } from '../features/runs/read-runs.ts';
import { listShipments as listForPeople } from '../features/shipment-desk/list-shipment-lines.ts';
import { listShipments } from '../features/shipments/list-shipments.ts';
import { createDeliveryQueue } from '../features/webhooks/delivery-queue.ts';
import { listAnyFailingWebhooks, listAnyPausedWebhooks } from '../features/webhooks/index.ts';
import { listShipmentDeliveries } from '../features/webhooks/list-shipment-deliveries.ts';
import { readDeliveries } from '../features/webhooks/read-deliveries.ts';
import { switchWebhookSecrets } from '../features/webhooks/switch-webhook-secrets.handler.ts';
import { createDatabase, createPool, type Database, type Tx } from './database.ts';

const RUNS = 7; // more than the five executions after which PostgreSQL considers a generic plan
const MAX_READ = 400; // rows per run: about a page of results, far from a table
const ZONE = 'Europe/Paris';
const FIRST_PAGE = { from: null, after: null, until: null, limit: 100 };
const NO_ARCHIVE = { find: async () => null, readDocuments: async () => [] };
const LIST_MUTEXES = { reading: createKeyedMutex(), streaming: createKeyedMutex() };
const LONG_AGO = new Date(2 * 86_400_000); // the ids of the filled rows are older still

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillTables(database.db);
});
afterAll(() => database.drop());

const inTx = (work: (tx: Tx) => Promise<unknown>) => db.transaction().execute(work);
const scrape = async (measure: (registry: Registry) => void) => {
  const registry = new Registry();
  measure(registry);
  await registry.metrics();
};
const runContext = () => ({ db, config: { timeZone: ZONE } }) as RunContext;
const latest = FILLED - 1;
const driverId = idOf(1 + (latest % 50));
const search = { id: idOf(latest), accountId: idOf(1 + (latest % 50)), shipmentId: idOf(latest) };
const abandonedBy = {
  driverId: idOf(1 + (101 % 50)),
  commandId: null,
  doneAt: null,
  place: null,
  receivedAt: new Date(),
};
const abandoned = {
  command: { name: 'abandon' as const, ...abandonedBy },
  shipmentId: idOf(100),
  channel: 'http' as const,
};

/** An import without remaining lines, which needs no creation context. */
async function runImportAgain() {
  await db.updateTable('imports').set({ state: 'running' }).where('id', '=', idOf(3)).execute();
  await runImport({ db } as never, { accountId: LARGE_ACCOUNT, importId: idOf(3) }, () => new Date());
}

const listDue = () => listAnyDue(db, { slotBefore: new Date(), dayBefore: new Date(), limit: 100 });

const LAST_TWO_DAYS = { from: new Date(Date.now() - 2 * 86_400_000), before: new Date() };
const noArrivals = { arrivals: { ofDrivers: async () => new Map() }, now: new Date() };
const SMALL_AREA = { west: 2.35, south: 48.85, east: 2.36, north: 48.86 };

/** With one zone, for which no search waits. */
async function listZones() {
  await sql`insert into zones (id, area, reason, created_at, created_by, created_by_name, ends_at)
    values (${idOf(1)}, '((0,0),(0,1),(1,1))', '', now(), ${idOf(1)}, '', now() + interval '1 hour')
    on conflict (id) do nothing`.execute(db);
  await listAnyStandingZones(db, new Date());
}

/** A run with nothing to erase, which needs no jobs, files or log. */
async function eraseNothing() {
  const config = { shipmentRetentionDays: 396, deliveryCodeRetentionDays: 30, messageRetentionDays: 30 };
  const stores = { labels: { deleteUnfinished: async () => {} } };
  const erasing = { db, config, stores, registry: new Registry(), log: { info: () => {} } };
  await erasePersonalData(erasing as never, () => new Date())();
}

/** Each partial index with the use case that reads it, so that the test runs the real statement. */
const READS: [index: string, by: string, run: () => Promise<unknown>][] = [
  ['approvals_waiting', 'listAnyWaiting', () => listAnyWaiting(db)],
  ['dispatch_decisions_given_back', 'abandonRun', () => abandonRun(runContext(), abandoned, null)],
  ['driver_searches_active', 'metrics', () => scrape((registry) => measureDispatch(registry, db, () => 0))],
  ['driver_searches_ended', 'metrics', () => scrape((registry) => measureDispatch(registry, db, () => 0))],
  ['driver_searches_in_zone', 'listAnyStandingZones', listZones],
  ['driver_searches_spent', 'listAnyUnassigned', () => listAnyUnassigned(db, 100)],
  ['driver_sessions_by_driver', 'endSessions', () => inTx((tx) => endSessions(tx, driverId, 'all', new Date()))],
  [
    'dropped_webhook_deliveries',
    'readDeliveries',
    () => readDeliveries(db, LARGE_ACCOUNT, idOf(1), { status: 'dropped' }),
  ],
  ['events_by_feed_position', 'readFeed', () => readFeed(db, LARGE_ACCOUNT, 1_000, 100)],
  ['events_without_feed_position', 'readFeedEnd', () => readFeedEnd(db, LARGE_ACCOUNT)],
  ['import_lines_refused', 'readImport', () => readImport(db, LARGE_ACCOUNT, idOf(3), 0)],
  [
    'import_lines_refused',
    'writeErrorFile',
    async () => (await writeErrorFile(db, LARGE_ACCOUNT, idOf(3), 'fr')).toArray(),
  ],
  ['import_lines_to_create', 'runImport', runImportAgain],
  ['incidents_open', 'listAnyOpenIncidents', () => listAnyOpenIncidents(db)],
  ['imports_by_content', 'readImport', () => readImport(db, LARGE_ACCOUNT, idOf(3), 0)],
  ['imports_to_erase', 'eraseImports', () => eraseImports(db, new Date())],
  ['later_events_by_shipment', 'listShipmentDeliveries', () => listShipmentDeliveries(db, LARGE_ACCOUNT, idOf(2))],
  ['messages_by_age', 'eraseMessages', () => eraseMessages(db, 90, new Date())],
  ['messages_failed', 'listAnyFailedMessages', () => listAnyFailedMessages(db, { now: LONG_AGO, limit: 100 })],
  ['messages_unsent', 'metrics', () => scrape((registry) => measureUnsentMessages(registry, db))],
  [
    'one_created_event_per_shipment',
    'listShipmentDeliveries',
    () => listShipmentDeliveries(db, LARGE_ACCOUNT, idOf(2)),
  ],
  ['one_open_offer_per_driver', 'listOffersToDriver', () => listOffersToDriver(db, driverId, new Date())],
  [
    'one_search_per_shipment',
    'lockActiveSearch',
    () => inTx((tx) => lockActiveSearch(tx, search.accountId, search.shipmentId)),
  ],
  ['one_search_per_shipment', 'lockActiveSearches', () => inTx((tx) => lockActiveSearches(tx, [search]))],
  ['open_offers_by_search', 'listAsked', () => inTx((tx) => listAsked(tx, search))],
  [
    'pending_webhook_deliveries',
    'the delivery queue, of any age',
    () => createDeliveryQueue(pool).takeOfAnyAge({ accountId: LARGE_ACCOUNT, webhookId: idOf(1), busy: [], limit: 10 }),
  ],
  [
    'shipments_by_slot',
    'listAnyBoardShipments',
    () => listAnyBoardShipments(db, { list: 'slots', ...FIRST_PAGE }, ZONE),
  ],
  ['recipient_reports_open', 'listAnyOpenReports', () => listAnyOpenReports(db, 100)],
  ['shipments_by_end', 'the audit of figures', () => readEndedRuns(db, LAST_TWO_DAYS, null)],
  ['shipments_code_locked', 'listAnyCodeLocked', () => listAnyCodeLocked(db, 100)],
  ['shipments_due_in_slot', 'listAnyDue', listDue],
  ['shipments_due_on_day', 'listAnyDue', listDue],
  [
    'shipments_by_group',
    'listShipments',
    () => listShipments(pool, NO_ARCHIVE, LIST_MUTEXES, LARGE_ACCOUNT, { groupReference: 'GROUP-7' }, ZONE),
  ],
  [
    'shipments_by_group',
    'the dashboard',
    () => listForPeople(pool, LARGE_ACCOUNT, { groupReference: 'GROUP-7' }, { timeZone: ZONE, ...noArrivals }),
  ],
  ['shipments_ended_by_driver', 'listEndedRuns', () => listEndedRuns(db, driverId, null, new Date())],
  ['shipments_in_hand', 'listRuns', () => listRuns(db, driverId, new Date())],
  ['shipments_in_hand', 'hasCapacity', () => inTx((tx) => hasCapacity(tx, driverId, 3))],
  ['shipments_in_hand', 'isNextStop', () => isNextStop(db, driverId, idOf(1))],
  ['shipments_in_hand', 'readDriverFacts', () => readDriverFacts(db, [driverId], new Date())],
  ['shipments_in_hand', 'listDrivers', () => listDrivers(db)],
  ['shipments_open_drops', 'the map', () => createStopMap(db).listIn(SMALL_AREA)],
  ['shipments_open_pickups', 'the map', () => createStopMap(db).listIn(SMALL_AREA)],
  ['shipments_to_erase', 'erasePersonalData', eraseNothing],
  ['shipments_with_code_to_erase', 'erasePersonalData', eraseNothing],
  [
    'shipments_that_collect',
    'the dashboard',
    () => listForPeople(pool, LARGE_ACCOUNT, { kind: 'collection' }, { timeZone: ZONE, ...noArrivals }),
  ],
  [
    'shipments_unassigned',
    'listAnyBoardShipments',
    () => listAnyBoardShipments(db, { list: 'unassigned', ...FIRST_PAGE }, ZONE),
  ],
  ['shipments_without_location', 'listAnyWithoutLocation', () => listAnyWithoutLocation(db)],
  ['shipments_without_pickup_time', 'listAnyWithoutPickupTime', () => listAnyWithoutPickupTime(db)],
  ['webhooks_failing', 'listAnyFailingWebhooks', () => listAnyFailingWebhooks(db, { before: new Date(), limit: 100 })],
  ['webhooks_paused', 'listAnyPausedWebhooks', () => listAnyPausedWebhooks(db, 100)],
  ['webhooks_with_next_secret', 'switchWebhookSecrets', () => switchWebhookSecrets(db, new Date())],
  ['webhooks_with_previous_secret', 'switchWebhookSecrets', () => switchWebhookSecrets(db, new Date())],
];

/** Each partial index that enforces a rule, with a row that violates it: a copy of an existing row with another key. */
const REFUSED: [index: string, table: string, which: string, key: object][] = [
  ['approvals_of_shipment', 'approvals', `state = 'waiting'`, { id: idOf(10 * FILLED) }],
  ['ledger_once_per_shipment', 'ledger_entries', `kind = 'charge'`, { entry: 10 * FILLED }],
  ['one_created_event_per_shipment', 'events', `type = 'shipping.created'`, { id: idOf(10 * FILLED) }],
  ['one_open_incident_per_shipment', 'incidents', 'resolved_at is null', { id: idOf(10 * FILLED) }],
  ['one_open_offer_per_driver', 'driver_offers', 'answer is null', { id: idOf(10 * FILLED) }],
  ['one_open_report_per_shipment', 'recipient_reports', 'closed_at is null', { id: idOf(10 * FILLED) }],
  ['one_running_resend_per_webhook', 'webhook_resends', `state = 'running'`, { id: idOf(10 * FILLED) }],
  ['one_search_per_shipment', 'driver_searches', 'ended_at is null', { id: idOf(10 * FILLED) }],
  ['one_winner_per_search', 'driver_offers', `answer = 'accepted'`, { id: idOf(10 * FILLED) }],
  ['proofs_by_command', 'proofs', 'command_id is not null', { id: idOf(10 * FILLED), file_name: 'another' }],
];

async function partialIndexes() {
  const { rows } = await sql<{ index: string; table: string; rows: number }>`
    select i.indexrelid::regclass::text as index, t.relname as table, t.reltuples as rows
    from pg_index i join pg_class t on t.oid = i.indrelid
    where i.indpred is not null and t.relnamespace = 'public'::regnamespace order by 1`.execute(database.db);
  return rows;
}

describe.for([
  { plans: 'planned for the values of the moment', lookups: false },
  { plans: 'planned once for all values', lookups: true },
])('a statement $plans', ({ lookups }) => {
  beforeAll(() => {
    pool = createPool({ databaseUrl: database.url, size: 1, lookups });
    db = createDatabase(pool);
  });
  afterAll(() => pool.end());

  test.for(READS)('uses %s: %s', async ([index, , run]) => {
    const table = (await partialIndexes()).find((row) => row.index === index)?.table ?? '';
    const reads = await readsOf([pool], async () => {
      for (let i = 0; i < RUNS; i++) await run();
    });
    const leastScans = lookups ? 0 : RUNS; // with lookup plans another index may do as well: the rows decide
    expect(reads.scans(index)).toBeGreaterThanOrEqual(leastScans);
    expect(reads.rows(table)).toBeLessThan(RUNS * MAX_READ);
  });
});

/** With the bounds of recent days in the text of the statement. */
describe.for([
  { plans: 'planned for the values of the moment', lookups: false, analysed: 'with its rows' },
  { plans: 'planned once for all values', lookups: true, analysed: 'with its rows' },
  { plans: 'planned for the values of the moment', lookups: false, analysed: 'while it was empty' },
  { plans: 'planned once for all values', lookups: true, analysed: 'while it was empty' },
])('taking deliveries of recent days, $plans, of a table that was analysed $analysed', ({ lookups, analysed }) => {
  let recent: TestDatabase;
  beforeAll(async () => {
    recent = await createTestDatabase();
    const analyse = () => sql`analyze webhook_deliveries`.execute(recent.db);
    if (analysed !== 'with its rows') await analyse();
    await sql`insert into accounts (id, client_id, name, email, limit_per_minute, limit_per_hour, limit_per_day)
      values (${LARGE_ACCOUNT}, 'client', 'Shop', 'shop@example.org', 1, 1, 1)`.execute(recent.db);
    await sql`insert into webhooks (account_id, id, url, events, secret_key, sealed_secret, is_active)
      values (${LARGE_ACCOUNT}, ${idOf(1)}, 'https://shop.example', array['shipping.created'], 'key', '', true)`.execute(
      recent.db,
    );
    // Twenty pending deliveries of today, behind the others of the same webhook; as many others on each of thirty days.
    await sql`
      insert into webhook_deliveries (account_id, event_id, webhook_id, status, settled_at)
      select ${LARGE_ACCOUNT}::uuid, event_id, ${idOf(1)}::uuid, status, case when status <> 'pending' then now() end
      from generate_series(0, 29) as day, generate_series(1, 3000) as n,
        lateral (select case when day = 0 and n > 2980 then 'pending' else 'delivered' end) as s (status),
        lateral (select overlay(first_id_at(date_trunc('day', now() at time zone 'utc') at time zone 'utc'
          + day * interval '1 day')::text placing lpad(to_hex(n), 12, '0') from 25)::uuid) as e (event_id)`.execute(
      recent.db,
    );
    await sql`insert into events (account_id, id, shipment_id, type, body, created_at, feed_position)
      select account_id, event_id, event_id, 'shipping.created', '{}', now(), row_number() over ()
      from webhook_deliveries where status = 'pending'`.execute(recent.db);
    if (analysed === 'with its rows') await analyse();
    pool = createPool({ databaseUrl: recent.url, size: 1, lookups });
  });
  afterAll(async () => {
    await pool.end();
    await recent.drop();
  });

  test('reads those alone, in three partitions', async () => {
    const queue = createDeliveryQueue(pool);
    const request = { accountId: LARGE_ACCOUNT, webhookId: idOf(1), busy: [], limit: 50 }; // more than there are
    const reads = await readsOf([pool], async () => {
      for (let i = 0; i < RUNS; i++) expect(await queue.take(request)).toHaveLength(20);
    });
    expect(reads.rows('webhook_deliveries')).toBeLessThan(RUNS * MAX_READ);
    expect(reads.scans('pending_webhook_deliveries')).toBeGreaterThanOrEqual(RUNS);
    expect(reads.scans('pending_webhook_deliveries')).toBeLessThanOrEqual(3 * RUNS);
  });
});

test.for(REFUSED)('%s refuses a second row of %s where %s', async ([index, table, which, key]) => {
  const source = sql.table(table);
  const copy = sql`insert into ${source} select (jsonb_populate_record(r, ${JSON.stringify(key)}::jsonb)).*
    from ${source} r where ${sql.raw(which)} limit 1`;
  await expect(copy.execute(database.db)).rejects.toMatchObject({ code: '23505', constraint: index });
});

test('every partial index of the schema has a case above, and its table has 50,000 rows', async () => {
  const indexes = await partialIndexes();
  const proven = new Set([...READS, ...REFUSED].map(([index]) => index));
  expect(indexes.map(({ index }) => index)).toEqual([...proven].toSorted());
  expect(indexes.filter(({ rows }) => rows < 50_000)).toEqual([]);
});
