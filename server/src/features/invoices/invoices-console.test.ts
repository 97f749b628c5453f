import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStaff, type TestStaff } from '../../../test/console.ts';
import { closeSampleMonths, INVOICING } from '../../../test/invoicing.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

let server: TestServer;
let accountant: TestStaff;
let shops: { id: string; numbers: string[] }[];
beforeAll(async () => {
  server = await startTestServer(INVOICING);
  accountant = await createTestStaff(server, 'accountant');
  shops = [];
  for (let i = 0; i < 30; i++) {
    const { id } = await server.createAccount({ name: `Shop ${i}` });
    shops.push({ id, numbers: await closeSampleMonths(server.db, id) });
  }
});
afterAll(() => server.stop());

type Query = Parameters<typeof accountant.call<'listConsoleInvoices'>>[1] extends infer R ? R : never;
const list = async (query: NonNullable<Query>['query'] = {}) =>
  (await accountant.call('listConsoleInvoices', query === undefined ? {} : { query })).body;

test('accountants list the documents of all merchants page by page, each once', async () => {
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { invoices, nextCursor } = await list(cursor ? { cursor } : {});
    seen.push(...invoices.map(({ number }: { number: string }) => number));
    cursor = nextCursor;
  }
  expect(seen.toSorted()).toEqual(shops.flatMap(({ numbers }) => numbers).toSorted());
  expect(seen).toHaveLength(90);
});

test('by month, account and state', async () => {
  const [shop] = shops;
  const ofShop = (await list({ account: shop?.id ?? '' })).invoices;
  expect(ofShop.map(({ number }: { number: string }) => number).toSorted()).toEqual(shop?.numbers.toSorted());
  expect((await list({ account: shop?.id ?? '', month: '2026-09' })).invoices).toHaveLength(1);
  expect((await list({ account: shop?.id ?? '', state: 'credit_note' })).invoices).toMatchObject([
    { kind: 'credit_note', month: '2026-10', merchant: { id: shop?.id, name: 'Shop 0' } },
  ]);
  const due = (await list({ account: shop?.id ?? '', state: 'due' })).invoices;
  const settled = (await list({ account: shop?.id ?? '', state: 'settled' })).invoices;
  expect(due.length + settled.length).toBe(2);
  expect((await list({ account: 'x' })).invoices).toEqual([]);
  expect((await accountant.call('listConsoleInvoices', { query: { month: '2026-13' } })).status).toBe(400);
});

test('the PDF is served to those who work with money only', async () => {
  const params = { number: shops[0]?.numbers[0] ?? '' };
  const pdf = await accountant.call('readConsoleInvoicePdf', { params });
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await accountant.call('readConsoleInvoicePdf', { params: { number: 'F2026-999999' } })).status).toBe(404);
  const support = await createTestStaff(server, 'support');
  expect((await support.call('readConsoleInvoicePdf', { params })).status).toBe(403);
  expect((await support.call('listConsoleInvoices')).status).toBe(403);
});

test('indexes serve the list of all documents and that of a month', async () => {
  const plan = async (condition: string) => {
    const { rows } = await server.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql<{ 'QUERY PLAN': string }>`
        explain select number from invoices i where ${sql.raw(condition)}
        order by i.issued_at desc, i.number desc limit 51`.execute(tx);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await plan('true')).toMatch(/Index.* using invoices_by_issue/);
  expect(await plan("i.month = '2026-10'")).toMatch(/Index.* using invoices_by_month/);
});
