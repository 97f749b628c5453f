import { DASHBOARD_BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { writeCharge, writeCredit, writeRefund } from '../../../test/write-ledger.ts';
import { closeMonths } from './close-month.ts';

let server: TestServer;
let owner: TestMember;
let reader: TestMember;
let stranger: TestMember;
beforeAll(async () => {
  server = await startTestServer(INVOICING);
  const shop = await server.createAccount({ name: 'Fleurs & Cie' });
  owner = await createTestMember(server, shop.id, 'owner');
  reader = await createTestMember(server, shop.id, 'read-only');
  stranger = await createTestMember(server, (await server.createAccount()).id);
  await writeCredit(server.db, shop.id, 10_000, '2026-09-01T08:00:00Z');
  const cancelled = await writeCharge(server.db, shop.id, 850, '2026-09-10T08:00:00Z');
  await writeCharge(server.db, shop.id, 1_150, '2026-09-11T08:00:00Z');
  await writeRefund(server.db, shop.id, cancelled, 850, '2026-10-02T08:00:00Z');
  await closeMonths(server.db, createTestIssuer(), shop.id, '2026-10', new Date('2026-11-02T03:00:00Z'));
});
afterAll(() => server.stop());

describe('billing details', () => {
  test('an owner changes them, other members read them', async () => {
    const change = { name: 'Fleurs SARL', siren: '552100554', language: 'en' };
    expect((await reader.call('changeBillingDetails', { body: change })).status).toBe(403);
    const { status, body } = await owner.call('changeBillingDetails', { body: change });
    expect([status, body.details]).toMatchObject([200, { ...change, country: 'FR', vatId: null }]);
    expect((await reader.call('readBillingDetails')).body.details).toEqual(body.details);
    expect((await stranger.call('readBillingDetails')).body.details).toMatchObject({ name: null, language: 'fr' });
  });

  test('400: a SIREN of ten digits, a field that does not exist', async () => {
    for (const body of [{ siren: '5521005541' }, { iban: 'x' }])
      expect((await owner.call('changeBillingDetails', { body: body as never })).status).toBe(400);
  });
});

describe('invoices', () => {
  test('months newest first, each with its documents, for every role', async () => {
    const { body } = await reader.call('listInvoices');
    expect(body).toMatchObject({
      nextCursor: null,
      months: [
        {
          month: '2026-10',
          openingBalance: 80,
          closingBalance: 88.5,
          documents: [{ kind: 'credit_note', gross: 8.5 }],
        },
        {
          month: '2026-09',
          closingBalance: 80,
          documents: [{ number: 'F2026-000001', gross: 20, due: 0, dueOn: null }],
        },
      ],
    });
    expect((await stranger.call('listInvoices')).body.months).toEqual([]);
  });

  test('files: an intact PDF with the amounts, the statement by day, and every entry as CSV', async () => {
    const download = async (path: string) => {
      const response = await fetch(`${server.url}${DASHBOARD_BASE_PATH}${path}`, {
        headers: { cookie: reader.cookie },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      const pdf = Buffer.from(await response.arrayBuffer());
      expect(await faultsOfPdf(pdf)).toBe('');
      return (await textOfPages(pdf)).join(' ');
    };
    const invoice = await download('/invoices/F2026-000001/pdf');
    for (const text of ['Facture', 'Fleurs & Cie', '16,67', '3,33', '20,00', 'SIREN 303 265 045', '40 €'])
      expect(invoice).toContain(text);
    const statement = await download('/statements/2026-09/pdf');
    for (const text of ['Account statement', 'September 2026', '€100.00', '€80.00']) expect(statement).toContain(text);
    const csv = await reader.call('exportStatement', { params: { month: '2026-09' }, query: { language: 'fr' } });
    expect(csv.body.trimEnd().split('\r\n')).toHaveLength(4);
  });

  test('404: those of another account, a month that is not closed, and nonsense', async () => {
    expect((await stranger.call('readInvoicePdf', { params: { number: 'F2026-000001' } })).status).toBe(404);
    expect((await stranger.call('readStatementPdf', { params: { month: '2026-09' } })).status).toBe(404);
    expect((await stranger.call('exportStatement', { params: { month: '2026-09' } })).status).toBe(404);
    for (const month of ['2026-11', 'x'])
      expect((await reader.call('readStatementPdf', { params: { month } })).status).toBe(404);
  });
});
