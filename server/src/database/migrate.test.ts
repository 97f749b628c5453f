import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { migrateDatabase } from './migrate.ts';

const TABLE = 'create table parcels (id int, reference text); insert into parcels select 1, $$A$$;';
const UNIQUE_INDEX = `-- migrate: no transaction
-- References are unique.
drop index concurrently if exists parcels_reference;
create unique index concurrently parcels_reference
  on parcels (reference);
`;
const COLUMN = 'alter table parcels add column weight int;';

let folder: string;
let url: string;
let name: string;

/** Not connected to the template itself, which must be free when other files copy it. */
const admin = (statement: string) =>
  query(Object.assign(new URL(inject('templateDatabaseUrl')), { pathname: '/postgres' }).href, statement);

async function query(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const write = async (files: Record<string, string>) => {
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, `${file}.sql`), text);
};
const migrate = () => migrateDatabase(url, pathToFileURL(`${folder}/`));
const indexes = () =>
  query(
    url,
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
              where indrelid = 'parcels'::regclass`,
  );
const recorded = async () =>
  (await query(url, 'select name from kysely_migration order by name')).map((row) => row.name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navette-migrations-'));
  name = `navette_migrate_${folder.slice(-6).toLowerCase()}`;
  url = Object.assign(new URL(inject('templateDatabaseUrl')), { pathname: `/${name}` }).href;
});

afterEach(async () => {
  await admin(`drop database if exists "${name}" with (force)`);
  await rm(folder, { recursive: true });
});

test('a file marked "no transaction" runs between the transactions of its neighbours', async () => {
  await write({ '0001_table': TABLE, '0002_index': UNIQUE_INDEX, '0003_column': COLUMN });
  expect(await migrate()).toEqual(['0001_table', '0002_index', '0003_column']);
  expect(await indexes()).toEqual([{ name: 'parcels_reference', valid: true }]);
  expect(await migrate()).toEqual([]);
});

test('a concurrent index build that fails half way leaves an invalid index, and the next run repairs it', async () => {
  await write({ '0001_table': TABLE });
  await migrate();
  await query(url, `insert into parcels values (2, 'A')`); // a duplicate, found while the index is being built
  await write({ '0002_index': UNIQUE_INDEX, '0003_column': COLUMN });

  await expect(migrate()).rejects.toThrow('could not create unique index');
  expect(await indexes()).toEqual([{ name: 'parcels_reference', valid: false }]);
  expect(await recorded()).toEqual(['0001_table']);

  await query(url, 'delete from parcels where id = 2');
  expect(await migrate()).toEqual(['0002_index', '0003_column']);
  expect(await indexes()).toEqual([{ name: 'parcels_reference', valid: true }]);
  expect(await recorded()).toEqual(['0001_table', '0002_index', '0003_column']);
});

test('processes that migrate at the same time take turns, without a deadlock', async () => {
  await write({ '0001_table': TABLE, '0002_index': UNIQUE_INDEX, '0003_column': COLUMN });
  const ran = await Promise.all(Array.from({ length: 5 }, migrate));
  expect(ran.flat().sort()).toEqual(['0001_table', '0002_index', '0003_column']);
  expect(await indexes()).toEqual([{ name: 'parcels_reference', valid: true }]);
});

test('a backfill in batches commits each of them, and a repeated run goes on', async () => {
  const many = `create table parcels (id int, reference text); insert into parcels select n from generate_series(1, 25) n;`;
  const backfill = (stopAt: number) => `-- migrate: no transaction
do $$ begin
  loop
    update parcels set reference = 1 / (id - ${stopAt}) || 'R'
    where id in (select id from parcels where reference is null order by id limit 10);
    exit when not found;
    commit;
  end loop;
end $$;
`;
  await write({ '0001_table': many, '0002_backfill': backfill(15) });
  await expect(migrate()).rejects.toThrow('division by zero');
  const filled = async () => (await query(url, 'select count(reference)::int as filled from parcels'))[0];
  expect(await filled()).toEqual({ filled: 10 });
  await write({ '0002_backfill': backfill(0) });
  expect(await migrate()).toEqual(['0002_backfill']);
  expect(await filled()).toEqual({ filled: 25 });
});

test('a file that fails is undone, and those before it stay', async () => {
  await write({ '0001_table': TABLE, '0002_column': COLUMN, '0003_mistake': 'alter table nothing add column x int;' });
  await expect(migrate()).rejects.toThrow('relation "nothing" does not exist');
  expect(await recorded()).toEqual(['0001_table', '0002_column']);
});

test('a migration gives way to a transaction that uses its table, and runs when it has ended', async () => {
  await write({ '0001_table': TABLE });
  await migrate();
  await write({ '0002_column': COLUMN });
  const busy = new pg.Client({ connectionString: url });
  await busy.connect();
  await busy.query('begin; lock table parcels in row exclusive mode');
  const migrating = migrate();
  const waiting = `select 1 from pg_locks where not granted and relation = 'parcels'::regclass`;
  await eventually(async () => expect(await query(url, waiting)).toHaveLength(1));
  // Behind the migration's request for a lock, this statement would wait until the transaction ends.
  await query(url, 'lock table parcels in row exclusive mode; select 1');
  await busy.query('commit');
  await busy.end();
  expect(await migrating).toEqual(['0002_column']);
});

test('a concurrent index build without the drop before it is refused before anything runs', async () => {
  const repeated = '-- migrate: no transaction\ncreate index concurrently if not exists parcels_id on parcels (id);\n';
  await write({ '0001_table': TABLE, '0002_index': repeated });
  await expect(migrate()).rejects.toThrow('drop index concurrently if exists parcels_id;');
});
