import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../crowd.ts';
import type { TestServer } from '../test-server.ts';
import { fittingBodies, pathWith } from './generate.ts';
import { hasPathParameter, type Operation, readOperations } from './operations.ts';
import { createTenant, credentialsOf, idsOf, startAttackedServer, type Tenant } from './tenant.ts';
import { sendRaw } from './wire.ts';

let server: TestServer;
let tenant: Tenant;
let victim: Tenant;
let operations: Operation[];
beforeAll(async () => {
  server = await startAttackedServer();
  tenant = await createTenant(server, 'tenant');
  victim = await createTenant(server, 'victim');
  operations = (await readOperations(server.url)).filter(({ changes, body, isOpen }) => changes && body && !isOpen);
});
afterAll(() => server.stop());

const MARK = 'massassignmentmark';
const NUMBER = 86_753_090;

/** Columns that store a merchant's object unchanged. */
const FREE_FORM = ['metadata', 'external_reference', 'body', 'cells', 'request', 'columns'];

/** Every column of every table, as a caller would guess its field, with a value that can be found again. */
async function privilegedFields(): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select distinct column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public'`.execute(server.db);
  const guessed = rows.flatMap(({ name, type }) => {
    const value = valueFor(type);
    const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [name, camel].map((field) => [field, value] as const);
  });
  const names = ['_id', 'professional', 'deliverer', 'price', 'balance', 'isAdmin', 'referenceNumber', 'statusHistory'];
  return Object.fromEntries([...guessed, ...names.map((name) => [name, MARK] as const)]);
}

function valueFor(type: string): unknown {
  if (type === 'uuid') return victim.account.id;
  if (type === 'boolean') return true;
  if (['integer', 'bigint', 'smallint', 'double precision', 'real'].includes(type)) return NUMBER;
  return MARK;
}

/** The names that a schema lets the caller set, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(namesIn)];
}

/** The fields, beside those that the caller set, at every depth. */
function withFields(value: unknown, fields: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => withFields(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, part]) => [name, withFields(part, fields)]);
  return { ...fields, ...Object.fromEntries(inner) };
}

async function columnsHolding(text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and not column_name = any(${FREE_FORM})`.execute(server.db);
  const found = await Promise.all(
    columns.map(async ({ table, column }) => {
      const { rows } = await sql<{ many: number }>`
        select count(*)::int as many from ${sql.table(table)} where ${sql.ref(column)}::text like ${`%${text}%`}`.execute(
        server.db,
      );
      return (rows[0]?.many ?? 0) > 0 ? [`${table}.${column}`] : [];
    }),
  );
  return found.flat();
}

const rowsOf = async (accountId: string) => {
  const { rows } = await sql<{ rows: string }>`
    select string_agg(s::text, '|' order by id) as rows from shipments s where account_id = ${accountId}`.execute(
    server.db,
  );
  return rows[0]?.rows;
};

test('fields that no schema names are stored nowhere, whichever operation they are sent with', async () => {
  const fields = await privilegedFields();
  const ids = await idsOf(server, tenant);
  const before = await rowsOf(victim.account.id);
  const attacks = operations.flatMap((operation) => {
    const own = new Set([operation.body, ...operation.bodies].flatMap(namesIn));
    const foreign = Object.fromEntries(Object.entries(fields).filter(([name]) => !own.has(name)));
    return fittingBodies(operation, 2).flatMap((body) =>
      (hasPathParameter(operation) ? ids : ['']).map((id) => ({ operation, id, body: withFields(body, foreign) })),
    );
  });
  const statuses: number[] = [];
  await crowd(8, attacks, async ({ operation, id, body }, i) => {
    const headers = credentialsOf(tenant, operation.api, i);
    const path = pathWith(operation, id);
    const answer = await sendRaw(server.url, { method: operation.method, path, headers, body: JSON.stringify(body) });
    statuses.push(answer.status);
  });
  expect(await columnsHolding(MARK)).toEqual([]);
  expect(await columnsHolding(String(NUMBER))).toEqual([]);
  expect(await rowsOf(victim.account.id)).toBe(before);
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(10); // the attack reached the features
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});
