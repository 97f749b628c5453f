import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { shipmentRequest } from '../../../test/shipment-request.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { addCredit } from './index.ts';

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
let shipment: { _id: string; referenceNumber: string };
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ minimumPrice: 8.5 });
  await addCredit(server.db, shop.id, 5_000, '=HYPERLINK("http://example.org")');
  const externalReference = { orderId: '@SUM(A1)' };
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest({ externalReference }) });
  shipment = body.shipping;
  await server.call(shop, 'PUT', `/shipping/${shipment._id}/cancel`, { body: {} });
  member = await createTestMember(server, shop.id, 'read-only');
});
afterAll(() => server.stop());

describe('GET /ledger', () => {
  test('200: newest first, each entry with the balance after it and the shipment it is for', async () => {
    const { status, body } = await member.call('listLedger');
    expect(status).toBe(200);
    const link = { id: shipment._id, referenceNumber: shipment.referenceNumber, orderId: '@SUM(A1)' };
    expect(body.entries).toMatchObject([
      { entry: 3, kind: 'refund', amount: 8.5, balanceAfter: 50, shipment: link },
      { entry: 2, kind: 'charge', amount: -8.5, balanceAfter: 41.5, shipment: link },
      { entry: 1, kind: 'credit', amount: 50, balanceAfter: 50, shipment: null },
    ]);
    expect(body.nextCursor).toBeNull();
  });

  test('200: pages follow one another without gap or repetition', async () => {
    const first = (await member.call('listLedger', { query: { limit: 2 } })).body;
    const second = (await member.call('listLedger', { query: { limit: 2, cursor: first.nextCursor } })).body;
    const numbers = [...first.entries, ...second.entries].map(({ entry }: { entry: number }) => entry);
    expect(numbers).toEqual([3, 2, 1]);
    expect(second.nextCursor).toBeNull();
  });

  test('200: a period leaves out what was written before and after it', async () => {
    const { body } = await member.call('listLedger', { query: { from: '2020-01-01', to: '2020-12-31' } });
    expect(body.entries).toEqual([]);
    const today = await member.call('listLedger', { query: { from: '2020-01-01' } });
    expect(today.body.entries).toHaveLength(3);
  });

  test('200: another account sees its own entries only', async () => {
    const stranger = await createTestMember(server, (await server.createAccount()).id);
    expect((await stranger.call('listLedger')).body.entries).toEqual([]);
  });

  test('400: an invalid cursor', async () => {
    const { status, body } = await member.call('listLedger', { query: { cursor: '1; drop table' } });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ path: 'cursor', location: 'query' });
  });
});

describe('GET /ledger.csv', () => {
  test('200: every entry, and nothing that a spreadsheet would run', async () => {
    const { status, headers, body: text } = await member.call('exportLedger', { query: { language: 'fr' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(';"8,50";"50,00";');
    expect(lines[2]).toContain(`;"-8,50";"41,50";${shipment.referenceNumber};'@SUM(A1);`);
    expect(lines[3]).toContain(`"'=HYPERLINK`);
  });

  test('500: a failed statement gives an error, not a file without entries', async () => {
    await sql`alter table ledger_entries rename column note to note_gone`.execute(server.db);
    const { status, headers } = await member.call('exportLedger');
    await sql`alter table ledger_entries rename column note_gone to note`.execute(server.db);
    expect([status, headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
  });
});
