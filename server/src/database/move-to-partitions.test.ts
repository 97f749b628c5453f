import { randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabaseBeforePartitions } from '../../test/database-before-partitions.ts';
import { eventually } from '../../test/eventually.ts';
import { forgetMoves, type MoveProgress, moveToPartitions } from './move-to-partitions.ts';

const ROWS = 40;
const FILL = `
  insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
    values ${Array.from({ length: ROWS }, () => `('${randomUUIDv7()}', '${randomUUIDv7()}', '${randomUUIDv7()}', 'delivered', 1, 1, now())`).join()}`;

let database: Awaited<ReturnType<typeof createDatabaseBeforePartitions>>;
let client: pg.Client;
beforeEach(async () => {
  database = await createDatabaseBeforePartitions(FILL);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const move = (onProgress: (progress: MoveProgress) => void = () => {}, batch = 1_000) =>
  moveToPartitions(database.url, { batch, onProgress });

/** All rows are copied and not compared yet. */
async function copyOnly(): Promise<void> {
  const stopped = new Error('stopped after the copy');
  const stop = ({ step }: MoveProgress) => {
    if (step === 'copy') throw stopped;
  };
  await expect(move(stop)).rejects.toBe(stopped);
}

const rowsOf = async (table: string) => (await client.query(`select * from ${table} order by event_id`)).rows;
const hasTrigger = async () =>
  (await client.query(`select from pg_trigger where tgname = 'copy_to_partitions'`)).rowCount === 1;

async function expectMoved(rows: unknown[]): Promise<void> {
  const { rows: kinds } = await client.query(
    `select relkind as kind from pg_class where oid = 'webhook_deliveries'::regclass`,
  );
  expect(kinds).toEqual([{ kind: 'p' }]);
  expect(await rowsOf('webhook_deliveries')).toEqual(rows);
}

test('a copy that differs is not used, and --restart copies the table again', async () => {
  await copyOnly();
  await client.query(`update webhook_deliveries_by_day set resends = 7
    where event_id = (select event_id from webhook_deliveries order by event_id limit 1)`);
  await expect(move()).rejects.toThrow(/webhook_deliveries: the copy differs .*--restart/);
  await expect(move()).rejects.toThrow(/the copy differs/);
  const rows = await rowsOf('webhook_deliveries');
  await forgetMoves(database.url);
  expect(await move()).toEqual(['webhook_deliveries']);
  await expectMoved(rows);
  expect(rows).toHaveLength(ROWS);
});

test('each range is read by index: the whole table is read for none', async () => {
  await move(undefined, 1);
  await eventually(async () => {
    const { rows } = await client.query(`select sum(idx_tup_fetch)::int as indexed, sum(seq_tup_read)::int as scanned
      from pg_stat_user_tables where schemaname = 'partitions' and relname like 'webhook_deliveries%'`);
    expect(rows[0].indexed).toBeGreaterThanOrEqual(ROWS); // counted when the command's connections have ended
    expect(rows[0].scanned).toBe(0);
  });
});

test('a copy whose trigger is gone is not continued: it has missed changes', async () => {
  await copyOnly();
  await client.query('drop trigger copy_to_partitions on webhook_deliveries');
  await client.query(`update webhook_deliveries set resends = 7`);
  await expect(move()).rejects.toThrow(/trigger is gone.*--restart/);
  await forgetMoves(database.url);
  await move();
  await expectMoved((await rowsOf('webhook_deliveries')).map((row) => ({ ...row, resends: 7 })));
});

test('--restart that is killed before it has dropped the copy leaves the trigger', async () => {
  await copyOnly();
  await client.query('begin; select count(*) from webhook_deliveries_by_day');
  const forgetting = forgetMoves(database.url);
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await eventually(async () => {
    const { rowCount } = await other.query(`select from pg_stat_activity
      where datname = current_database() and query like 'drop table%' and wait_event_type = 'Lock'`);
    expect(rowCount).toBe(1);
  });
  const { rowCount: triggers } = await other.query(`select from pg_trigger where tgname = 'copy_to_partitions'`);
  await other.end();
  await client.query('commit');
  await forgetting;
  expect(triggers).toBe(1);
  expect(await hasTrigger()).toBe(false);
});
