import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');

/** The rows of a table of the page, as cells. */
function rowsOf(part: string): string[][] {
  const text = page.slice(page.indexOf(`<!-- ${part} -->`), page.indexOf(`<!-- /${part} -->`));
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('docs/privacy.md', () => {
  test('lists every table, whether it holds personal data, and until when', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct case schemaname when 'public' then tablename else schemaname || '.*' end as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') and tablename not like 'kysely%'`.execute(
      database.db,
    );
    const listed = rowsOf('tables');
    expect(listed.flatMap(([name]) => namesIn(name)).sort()).toEqual(rows.map(({ name }) => name).sort());
    for (const [name, personal, purpose, until] of listed) {
      expect([name, personal]).toEqual([name, expect.stringMatching(/^(Yes|No|Pseudonymous)\b/)]);
      expect([name, purpose, until]).not.toContain('');
    }
  });

  test('lists for every column of a shipment whether it is kept', async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'shipments'`.execute(database.db);
    const listed = rowsOf('shipment columns').flatMap(([columns]) => namesIn(columns));
    expect(listed.sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});
