import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAfterDamage } from '../../../test/damage.ts';
import { createTestIssuer, INVOICING } from '../../../test/invoicing.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import { writeCharge, writeCredit, writeRefund } from '../../../test/write-ledger.ts';
import { setThisCell } from '../../cells/this-cell.ts';
import type { Database } from '../../database/database.ts';
import { findOrCreateTwin } from '../accounts/index.ts';
import { auditInvoices, auditSeries } from './audit-invoices.ts';
import { saveBillingDetails } from './buyer.ts';
import { closeMonths } from './close-month.ts';
import { issueInvoices } from './issue-invoices.handler.ts';
import { issueAnyInvoices } from './issue-invoices.ts';
import { type InvoiceDocument, listAnyInvoices, listBillingMonths, readInvoice } from './read-invoices.ts';
import { reverseAnyInvoice } from './reverse-invoice.ts';

const issuer = createTestIssuer();
const NOW = new Date('2026-11-02T03:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(INVOICING);
});
afterAll(() => server.stop());

const close = (accountId: string, until = '2026-10') => closeMonths(server.db, issuer, accountId, until, NOW);
/** Invoices, then credit notes: those of one run have the same time. */
const documentsOf = async (accountId: string) =>
  (await listAnyInvoices(server.db, { accountId })).toReversed().toSorted((a, b) => b.kind.localeCompare(a.kind));
const audit = async (db: Database) => [...(await auditInvoices(db)), ...(await auditSeries(db))];
const findBroken = async () => (await audit(server.db)).filter(({ broken }) => broken > 0);
const createShop = async () => (await server.createAccount({ paymentMode: 'deferred', name: 'Fleurs & Cie' })).id;

describe('closing a month', () => {
  test('a cell numbers a series of its own', async () => {
    const [here, there] = [await createShop(), await createShop()];
    for (const shop of [here, there]) await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    await close(here);
    setThisCell('Q3');
    await close(there).finally(() => setThisCell(null));
    const numbers = await Promise.all([here, there].map(async (shop) => (await documentsOf(shop))[0]?.number));
    expect(numbers).toEqual([expect.stringMatching(/^F2026-\d{6}$/), 'F2026Q3-000001']);
    expect(await findBroken()).toEqual([]);
  });

  test('one invoice of its charges by local day, with the VAT that they include', async () => {
    const shop = await createShop();
    await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    await writeCharge(server.db, shop, 1_150, '2026-10-05T22:30:00Z'); // the sixth in Paris
    await writeCharge(server.db, shop, 1_000, '2026-10-06T08:00:00Z');
    expect(await close(shop)).toHaveLength(1);
    const [invoice] = await documentsOf(shop);
    expect(invoice).toMatchObject({
      ...{ kind: 'invoice', reason: 'monthly', month: '2026-10', issuedOn: '2026-11-02', dueOn: '2026-12-02' },
      ...{ netCents: 2_500, vatCents: 500, roundingCents: 0, grossCents: 3_000, paidCents: 0 },
      ...{ buyer: { name: 'Fleurs & Cie', country: 'FR' }, seller: { siren: '303265045' } },
      lines: [
        { day: '2026-10-05', shipments: 1, grossCents: 850, netCents: 708 },
        { day: '2026-10-06', shipments: 2, grossCents: 2_150, netCents: 1_792 },
      ],
    });
    expect(await close(shop)).toEqual([]);
  });

  test('months are local: an entry at 23:30 UTC on the last day belongs to the next month', async () => {
    const shop = await createShop();
    await writeCharge(server.db, shop, 100, '2026-09-30T21:59:59Z');
    await writeCharge(server.db, shop, 200, '2026-09-30T22:00:00Z');
    await writeCharge(server.db, shop, 400, '2026-10-31T22:59:59Z'); // winter time since the 25th
    await writeCharge(server.db, shop, 800, '2026-10-31T23:00:00Z'); // November, which has not ended
    await close(shop);
    const documents = await documentsOf(shop);
    expect(documents.map(({ month, grossCents }) => [month, grossCents])).toEqual([
      ['2026-09', 100],
      ['2026-10', 600],
    ]);
  });

  test('a shipment that was cancelled in its month is on no document', async () => {
    const shop = await createShop();
    const cancelled = await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    await writeRefund(server.db, shop, cancelled, 850, '2026-10-06T10:00:00Z');
    expect(await close(shop)).toEqual([]);
    expect((await listBillingMonths(server.db, shop, undefined)).months).toMatchObject([{ month: '2026-10' }]);
  });

  test('a refund in a later month is a credit note that names the invoice', async () => {
    const shop = await createShop();
    const cancelled = await writeCharge(server.db, shop, 850, '2026-09-29T10:00:00Z');
    await writeCharge(server.db, shop, 1_000, '2026-09-30T10:00:00Z');
    await writeRefund(server.db, shop, cancelled, 850, '2026-10-02T10:00:00Z');
    await writeCharge(server.db, shop, 500, '2026-10-03T10:00:00Z');
    await close(shop);
    const [september, october, credit] = (await documentsOf(shop)) as [
      InvoiceDocument,
      InvoiceDocument,
      InvoiceDocument,
    ];
    expect([september.grossCents, october.grossCents]).toEqual([1_850, 500]);
    expect(credit).toMatchObject({
      ...{ kind: 'credit_note', reason: 'refunds', month: '2026-10', corrects: september.number },
      ...{ grossCents: 850, paidCents: 850, dueOn: null },
    });
    expect(credit.number).toMatch(/^A2026-\d{6}$/);
  });

  test('entries before the first invoiced month stay without documents, and so do their refunds', async () => {
    const shop = await createShop();
    const old = await writeCharge(server.db, shop, 850, '2026-08-20T10:00:00Z');
    await writeRefund(server.db, shop, old, 850, '2026-09-02T10:00:00Z');
    await writeCharge(server.db, shop, 500, '2026-09-03T10:00:00Z');
    await close(shop);
    expect((await documentsOf(shop)).map(({ month, kind, grossCents }) => [month, kind, grossCents])).toEqual([
      ['2026-09', 'invoice', 500],
    ]);
  });

  test('an entry that is written after its month was closed belongs to the next one', async () => {
    const shop = await createShop();
    await writeCharge(server.db, shop, 100, '2026-09-10T10:00:00Z');
    await close(shop, '2026-09');
    await writeCharge(server.db, shop, 200, '2026-09-30T21:59:59Z');
    await writeCharge(server.db, shop, 400, '2026-10-01T10:00:00Z');
    await close(shop);
    expect((await documentsOf(shop)).map(({ month, grossCents }) => [month, grossCents])).toEqual([
      ['2026-09', 100],
      ['2026-10', 600],
    ]);
  });

  test('what the balance covered at the end of the month is paid', async () => {
    const [prepaid, late] = [await createShop(), await createShop()];
    await writeCredit(server.db, prepaid, 5_000, '2026-10-01T10:00:00Z');
    await writeCharge(server.db, prepaid, 1_200, '2026-10-02T10:00:00Z');
    await writeCharge(server.db, late, 1_000, '2026-09-02T10:00:00Z');
    await writeCredit(server.db, late, 1_300, '2026-10-10T10:00:00Z'); // settles September first
    await writeCharge(server.db, late, 900, '2026-10-12T10:00:00Z');
    await close(prepaid);
    await close(late);
    expect((await documentsOf(prepaid)).map(({ paidCents, dueOn }) => [paidCents, dueOn])).toEqual([[1_200, null]]);
    expect((await documentsOf(late)).map(({ paidCents }) => paidCents)).toEqual([0, 300]);
  });

  test('a test account gets nothing, not even by a statement', async () => {
    const shop = await createShop();
    const twin = await server.db.transaction().execute((tx) => findOrCreateTwin(tx, shop));
    const id = twin?.id ?? '';
    await writeCharge(server.db, id, 850, '2026-10-05T10:00:00Z');
    const { failures } = await issueAnyInvoices(server.db, issuer, { until: '2026-10', now: NOW });
    expect(failures).toEqual([]);
    expect(await documentsOf(id)).toEqual([]);
    await expect(close(id, '2099-01')).rejects.toThrow('a test account gets no invoices');
  });
});

describe('an invoice', () => {
  test('never changes', async () => {
    for (const statement of [
      sql`update invoices set net_cents = 1`,
      sql`delete from invoices`,
      sql`truncate invoices cascade`,
      sql`delete from billing_periods`,
    ])
      await expect(statement.execute(server.db)).rejects.toThrow('append-only');
  });

  test('of another account is not found', async () => {
    const [shop, stranger] = [await createShop(), await createShop()];
    await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    const [number = ''] = await close(shop);
    expect(await readInvoice(server.db, shop, number)).toMatchObject({ number });
    expect(await readInvoice(server.db, stranger, number)).toBeNull();
  });

  test('with wrong details is reversed once and replaced; later refunds correct the replacement', async () => {
    const shop = await createShop();
    const shipment = await writeCharge(server.db, shop, 850, '2026-09-05T10:00:00Z');
    await writeCharge(server.db, shop, 1_000, '2026-09-06T10:00:00Z');
    const [number = ''] = await close(shop, '2026-09');
    const details = {
      name: 'Fleurs SARL',
      street: '1 rue Neuve',
      postalCode: '69001',
      city: 'Lyon',
      siren: '552100554',
    };
    await saveBillingDetails(server.db, shop, details, NOW);
    const reverse = () => reverseAnyInvoice(server.db, issuer, number, 'adresse erronée', NOW);
    const outcomes = await Promise.all([reverse(), reverse(), reverse()]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['corrected', 'corrected', 'reversed']);
    await writeRefund(server.db, shop, shipment, 850, '2026-10-02T10:00:00Z');
    await close(shop);
    const documents = await documentsOf(shop);
    const replacement = documents.find(({ reason }) => reason === 'replacement');
    expect(replacement).toMatchObject({ replaces: number, grossCents: 1_850, buyer: details });
    expect(documents.find(({ reason }) => reason === 'reversal')).toMatchObject({
      ...{ corrects: number, grossCents: 1_850, note: 'adresse erronée', buyer: { name: 'Fleurs & Cie' } },
    });
    expect(documents.find(({ reason }) => reason === 'refunds')).toMatchObject({ corrects: replacement?.number });
    expect(await reverseAnyInvoice(server.db, issuer, replacement?.number ?? '', 'x', NOW)).toMatchObject({
      outcome: 'corrected',
    });
  });
});

describe('the nightly job', () => {
  const logged: string[] = [];
  const log = { info: () => {}, error: (facts: object) => logged.push(JSON.stringify(facts)) };
  const run = (config = server.config) => issueInvoices({ ...server, config, log: log as never }, null, NOW);

  test('names the settings that are missing, and issues nothing', async () => {
    const shop = await createShop();
    await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    await run({ ...server.config, seller: { ...server.config.seller, siren: null, city: '' } });
    expect(logged).toEqual([JSON.stringify({ missing: ['SELLER_CITY', 'SELLER_SIREN'] })]);
    expect(await documentsOf(shop)).toEqual([]);
    await run({ ...server.config, invoices: { ...server.config.invoices, firstMonth: null } });
    expect(await documentsOf(shop)).toEqual([]);
    await run();
    expect(await documentsOf(shop)).toHaveLength(1);
  });
});

describe('the command line', () => {
  const navette = (...words: string[]) => runNavette(['invoice', ...words, '--json'], server.environment);

  test('issues, lists, shows and reverses', async () => {
    const shop = await createShop();
    await writeCharge(server.db, shop, 850, '2026-10-05T10:00:00Z');
    const issued = JSON.parse((await navette('issue', '--month', '2026-10')).stdout);
    expect(issued).toMatchObject({ until: '2026-10', issued: 1 });
    const [{ number }] = JSON.parse((await navette('list', '--account', shop)).stdout);
    expect(issued.numbers).toEqual([number]);
    expect(JSON.parse((await navette('show', number)).stdout)).toMatchObject({ number, grossCents: 850 });
    const reversed = JSON.parse((await navette('credit', number, '--reason', 'adresse erronée')).stdout);
    expect(Object.keys(reversed)).toEqual(['creditNote', 'replacement']);
  });

  test('changes the buyer’s details, and names the wrong ones', async () => {
    const shop = await createShop();
    const billing = (input: object) =>
      runNavette(['account', 'billing', shop, '--input', '-', '--json'], server.environment, JSON.stringify(input));
    const { stdout } = await billing({ name: 'Fleurs SARL', vatId: 'FR09552100554' });
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'Fleurs SARL',
      vatId: 'FR09552100554',
      siren: null,
      language: 'fr',
    });
    expect((await billing({ siren: '12', iban: 'x' })).stderr).toMatch(/siren: .*|iban: unknown detail/);
  });

  test('refuses a month that has not ended, and an operator without identity', async () => {
    expect((await navette('issue', '--month', '2099-01')).stderr).toContain('2099-01 has not ended');
    const poor = { ...server.environment, SELLER_NAME: '', INVOICE_FIRST_MONTH: '' };
    const { stderr } = await runNavette(['invoice', 'issue'], poor);
    expect(stderr).toContain('set INVOICE_FIRST_MONTH, SELLER_NAME');
  });
});

describe('the audit', () => {
  const damaged = (...statements: ReturnType<typeof sql>[]) => findAfterDamage(server, audit, statements);

  test('finds nothing after all of these', async () => {
    expect(await findBroken()).toEqual([]);
    expect((await listAnyInvoices(server.db, {})).length).toBeGreaterThan(10);
  });

  test('finds a changed amount, a missing number, a moved month and a lost entry', async () => {
    const unpaid = (await listAnyInvoices(server.db, {})).find(({ reason, dueOn }) => reason === 'monthly' && dueOn);
    const { number = '', accountId = '', month = '' } = unpaid ?? {};
    await sql`alter table invoices disable trigger all`.execute(server.db);
    await sql`alter table billing_periods disable trigger all`.execute(server.db);
    expect(
      await damaged(
        sql`update invoices set gross_cents = gross_cents + 1, net_cents = net_cents + 1 where number = ${number}`,
      ),
    ).toMatchObject({
      'invoices less credit notes of a month are the charges less the refunds of its ledger entries': [
        `${accountId} ${month}`,
      ],
      'the lines of a document add up to its amounts': [number],
    });
    expect(await damaged(sql`delete from invoices where series = 'F2026' and position = 2`)).toHaveProperty(
      'numbers of a series have no gap, follow the dates, and end at its counter',
    );
    expect(
      await damaged(sql`update invoice_series set last_number = last_number + 1 where series = 'A2026'`),
    ).toHaveProperty('numbers of a series have no gap, follow the dates, and end at its counter');
    expect(
      await damaged(sql`update billing_periods set first_entry = first_entry + 1 where last_entry > first_entry`),
    ).toHaveProperty('closed months cover the ledger without gap, from its first entry on, and carry its balances');
    expect(
      await damaged(sql`update billing_periods set unbilled_refund_cents = 1 where month = '2026-10'`),
    ).toHaveProperty('refunds without a credit note are those of charges before the first invoiced month');
    expect(
      await damaged(sql`update invoices set gross_cents = 9000000, net_cents = 9000000, vat_cents = 0, rounding_cents = 0,
        paid_cents = 9000000, due_on = null where reason = 'refunds'`),
    ).toHaveProperty('credit notes take back no more than their invoice');
  });
});
