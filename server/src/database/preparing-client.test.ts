import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readsOf } from '../../test/rows-read.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createPool } from './database.ts';

const ROWS = 20_000;

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  pool = createPool({ databaseUrl: database.url, size: 1, lookups: true });
  await pool.query('create table things (id int primary key, box int)');
});
afterEach(async () => {
  await pool.query('drop table things');
  await pool.end();
});
afterAll(() => database.drop());

const prepared = async (text: string) =>
  (await pool.query(`select from pg_prepared_statements where statement = '${text}'`)).rowCount;

test('a statement is prepared on its second use', async () => {
  const text = 'select box from things where id = $1';
  await pool.query(text, [1]);
  expect(await prepared(text)).toBe(0);
  await pool.query(text, [1]);
  expect(await prepared(text)).toBe(1);
});

test('a statement with many values is not prepared, however often it occurs', async () => {
  const values = Array.from({ length: 65 }, (_, i) => `$${i + 1}`).join();
  const text = `select id from things where id in (${values})`;
  for (let i = 0; i < 3; i++) await pool.query(text, Array(65).fill(1));
  expect(await prepared(text)).toBe(0);
});

test('several statements in one text are sent as they are', async () => {
  const send = () => pool.query('select 1; select 2', []);
  for (let i = 0; i < 3; i++) expect(await send()).toHaveLength(2);
});

const fill = () => pool.query(`insert into things select n, n from generate_series(1, ${ROWS}) n`);

test('a statement planned for a table that was empty finds its row among many thousands by the index', async () => {
  const find = () => pool.query('select box from things where id = $1', [7]);
  await pool.query('vacuum analyze things');
  for (let i = 0; i < 3; i++) await find();
  await fill();
  const reads = await readsOf([pool], async () => expect((await find()).rows).toEqual([{ box: 7 }]));
  expect(reads.rows('things')).toBe(1);
});

test('a statement about several rows, planned before the first ANALYZE, finds each by the index', async () => {
  const text = 'select t.box from json_to_recordset($1) as w (id int) join things t on t.id = w.id';
  const find = () => pool.query(text, ['[{"id":7},{"id":8}]']);
  for (let i = 0; i < 3; i++) await find();
  await fill();
  const reads = await readsOf([pool], async () => expect((await find()).rows).toEqual([{ box: 7 }, { box: 8 }]));
  expect(reads.rows('things')).toBe(2);
});

test('a prepared statement that has other columns since a migration fails once', async () => {
  const text = 'select * from things where id = $1';
  for (let i = 0; i < 2; i++) await pool.query(text, [1]);
  await database.db.executeQuery({ sql: 'alter table things add column colour text', parameters: [] } as never);
  await expect(pool.query(text, [1])).rejects.toMatchObject({ code: '0A000' });
  expect((await pool.query(text, [1])).fields.map(({ name }) => name)).toEqual(['id', 'box', 'colour']);
});
