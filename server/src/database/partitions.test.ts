import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { auditPartitions } from '../audit/audit-partitions.ts';
import { purgeWebhookDeliveries } from '../features/webhooks/purge-webhook-deliveries.handler.ts';
import { createDatabase, createPool, type Database } from './database.ts';
import { migrateDatabase } from './migrate.ts';
import {
  addPartitions,
  DAILY_TABLE_NAMES,
  DAYS_AHEAD,
  DAYS_AHEAD_OF_UPGRADE,
  daysAfter,
  daysAhead,
  dropPartitions,
  listPartitions,
} from './partitions.ts';
import { firstIdAt } from './uuid.ts';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterEach(() => database.drop());

const account = randomUUIDv7();
const webhook = randomUUIDv7();
const insert = (eventId: string) =>
  db.insertInto('webhook_deliveries').values({ account_id: account, event_id: eventId, webhook_id: webhook }).execute();
const partitionOf = async (eventId: string) => {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from webhook_deliveries where event_id = ${eventId}`.execute(db);
  return rows[0]?.name;
};

test('an event is in the partition of its UTC day, from the first millisecond to the last', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const [first, last] = [firstIdAt(new Date(`${today}T00:00:00.000Z`)), firstIdAt(new Date(`${today}T23:59:59.999Z`))];
  for (const id of [first, last]) {
    await insert(id);
    expect(await partitionOf(id)).toBe(`partitions.webhook_deliveries_${today.replaceAll('-', '')}`);
  }
  const long = firstIdAt(new Date('2020-01-01T00:00:00Z'));
  await insert(long);
  expect(await partitionOf(long)).toBe('partitions.webhook_deliveries_earlier');
});

const aheadOf = (days: number) => new Map(DAILY_TABLE_NAMES.map((table) => [table, days]));

test('a migration adds a month, for which the release before can serve', async () => {
  await migrateDatabase(database.url);
  expect(await daysAhead(db, new Date())).toEqual(aheadOf(DAYS_AHEAD_OF_UPGRADE));
});

test('days are added without gaps, by several processes at once, also after weeks without any', async () => {
  const later = daysAfter(new Date(), 50);
  await Promise.all([addPartitions(db, later), addPartitions(db, later), addPartitions(db, later)]);
  for (const table of DAILY_TABLE_NAMES) {
    const days = (await listPartitions(db, table)).flatMap(({ day }) => day?.getTime() ?? []);
    expect(days).toEqual(Array.from(days, (_, i) => Number(days[0]) + i * 86_400_000));
  }
  expect(await daysAhead(db, later)).toEqual(aheadOf(DAYS_AHEAD));
});

test('a missing day between others is counted as missing, and added', async () => {
  const now = new Date();
  const day = daysAfter(now, 2).toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of DAILY_TABLE_NAMES) await sql`drop table ${sql.id('partitions', `${table}_${day}`)}`.execute(db);
  expect(await daysAhead(db, now)).toEqual(aheadOf(1));
  await addPartitions(db, now);
  for (const [, ahead] of await daysAhead(db, now)) expect(ahead).toBeGreaterThanOrEqual(DAYS_AHEAD);
});

test('today and the days before it are added after a clock that was ahead has dropped them', async () => {
  const now = new Date();
  const ahead = daysAfter(now, 40);
  await addPartitions(db, ahead);
  for (const table of DAILY_TABLE_NAMES) await dropPartitions(db, table, daysAfter(ahead, -30));
  expect(await daysAhead(db, now)).toEqual(aheadOf(-1));
  expect((await auditPartitions(db)).flatMap(({ examples }) => examples)).toEqual(DAILY_TABLE_NAMES);
  await addPartitions(db, now);
  expect((await daysAhead(db, now)).get('webhook_deliveries')).toBeGreaterThanOrEqual(DAYS_AHEAD);
  for (const id of [randomUUIDv7(), firstIdAt(daysAfter(now, -1)), firstIdAt(daysAfter(now, -20))]) await insert(id);
});

test('the audit finds a table without partitions for the next days', async () => {
  const broken = async () => (await auditPartitions(db)).flatMap(({ examples }) => examples);
  expect(await broken()).toEqual([]);
  await dropPartitions(db, 'webhook_attempts', daysAfter(new Date(), 30));
  expect(await broken()).toEqual(['webhook_attempts']);
});

describe('dropping days', () => {
  test('waits for a statement that uses them, while others read and write', async () => {
    const id = randomUUIDv7();
    await insert(id);
    const reader = createDatabase(createPool({ databaseUrl: database.url, size: 1 }));
    let dropped = false;
    const dropping = await reader.transaction().execute(async (tx) => {
      await sql`select count(*) from webhook_deliveries`.execute(tx);
      const running = dropPartitions(db, 'webhook_deliveries', daysAfter(new Date(), 1)).then((count) => {
        dropped = true;
        return count;
      });
      await expectWaiting();
      await insert(firstIdAt(daysAfter(new Date(), 3)));
      expect(dropped).toBe(false);
      return { running };
    });
    expect(await dropping.running).toBeGreaterThan(0);
    expect(await db.selectFrom('webhook_deliveries').select('event_id').execute()).toHaveLength(1);
    await reader.destroy();
  });

  /** Until the detachment waits for the reader's transaction. */
  async function expectWaiting() {
    for (;;) {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and query like 'alter table%detach%' and wait_event_type = 'Lock'`.execute(
        db,
      );
      if (rows.length > 0) return;
    }
  }

  test('is finished by the next call when it was interrupted', async () => {
    const before = (await listPartitions(db, 'webhook_attempts')).length;
    const reader = createDatabase(createPool({ databaseUrl: database.url, size: 1 }));
    const impatient = createDatabase(createPool({ databaseUrl: database.url, size: 1, timeLimitMs: 500 }));
    await reader.transaction().execute(async (tx) => {
      await sql`select count(*) from webhook_attempts`.execute(tx);
      await expect(dropPartitions(impatient, 'webhook_attempts', daysAfter(new Date(), 1))).rejects.toThrow(
        /cancel|timeout/i,
      );
    });
    expect((await listPartitions(db, 'webhook_attempts')).filter(({ isAttached }) => !isAttached)).toHaveLength(1);
    expect(await dropPartitions(db, 'webhook_attempts', daysAfter(new Date(), 1))).toBeGreaterThan(0);
    const left = await listPartitions(db, 'webhook_attempts');
    expect(left.length).toBeLessThan(before);
    expect(left.every(({ isAttached }) => isAttached)).toBe(true);
    await Promise.all([reader.destroy(), impatient.destroy()]);
  });
});

describe('a purge', () => {
  let ids: string[];
  beforeAll(() => {
    ids = [firstIdAt(daysAfter(new Date(), -40)), firstIdAt(daysAfter(new Date(), -29)), randomUUIDv7()];
  });
  afterAll(() => {
    ids = [];
  });
  const kept = async () =>
    (await db.selectFrom('webhook_deliveries').select('event_id').orderBy('event_id').execute()).map(
      (row) => row.event_id,
    );
  beforeEach(async () => {
    await sql`insert into accounts (id, client_id, name, email, limit_per_minute, limit_per_hour, limit_per_day)
      values (${account}, 'client', 'Shop', 'shop@example.org', 1, 1, 1)`.execute(db);
    for (const id of ids) await insert(id);
  });

  test('deletes what is older than the first day, row by row', async () => {
    expect(await purgeWebhookDeliveries(db, new Date())).toEqual({ days: 0, rows: 1 });
    expect(await kept()).toEqual(ids.slice(1));
  });

  test('of the release before, by positions that repeat in each partition, deletes no recent row', async () => {
    const keptSince = firstIdAt(daysAfter(new Date(), -30));
    await sql`
      delete from webhook_deliveries where ctid = any(array(
        select old.ctid from accounts a
        cross join lateral (select ctid from webhook_deliveries t where t.account_id = a.id and t.event_id < ${keptSince}::uuid
          order by t.event_id limit 10000) old
        limit 10000))`.execute(db);
    expect(await kept()).toEqual(ids.slice(1));
  });
});
