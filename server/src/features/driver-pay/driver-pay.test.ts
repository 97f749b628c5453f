import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { callApi } from '../../../test/call-api.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { runNavette } from '../../../test/navette-process.ts';
import { ledgerSums, offerRun, PAY } from '../../../test/paid-runs.ts';
import { faultsOfPdf, textOfPages } from '../../../test/pdf-tools.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { withWorker } from '../../../test/with-worker.ts';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import { assignAnyShipment, confirmAnyDelivery, unassignAnyShipment } from '../dispatch/index.ts';
import { auditDriverLedgers, auditDriverPay } from './audit-driver-pay.ts';
import { correctDriverBalance } from './driver-ledger.ts';

// 2.5 kg over 2.1 km: 350 + 2.1 × 85 + 0.5 × 40 = 548.5
const PAY_CENTS = 549;

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer({ ...PAY, DISPATCH_OFFER_SECONDS: '3600' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const operator = () => ({ ...server, now: new Date() });
const payOf = async (id: string) =>
  (await server.db.selectFrom('shipments').select('driver_pay_cents').where('id', '=', id).executeTakeFirstOrThrow())
    .driver_pay_cents;
const earnedBy = async (driver: TestDriver) => (await ledgerSums(server)).get(driver.id) ?? 0;

async function deliver(driver: TestDriver, id: string) {
  const { code } = await factsOf(server, id);
  return overHttp(server.url, driver)('deliver', { id, deliveryCode: code });
}

const read = (driver: Pick<TestDriver, 'token'>, path: string): Promise<Response> =>
  fetch(`${server.url}/driver/api/v1${path}`, { headers: { authorization: `Bearer ${driver.token}` } });
const month = () => localDay(new Date(), server.config.timeZone).slice(0, 7);

describe('what an offer shows', () => {
  test('is what the driver gets on delivery, although the rates have changed since', async () => {
    const driver = await createTestDriver(server.db);
    const send = overHttp(server.url, driver);
    await standAt(server, driver, 0.5);
    const { _id: id } = await ship(server, shop);
    await withWorker(server, async () => {
      await vi.waitFor(async () => expect(await openOffers(server, id)).toEqual([driver.id]), { timeout: 240_000 });
    });
    const { offers } = (await send('listOffers')).body;
    expect(offers).toMatchObject([{ pay: PAY_CENTS / 100, deliveryDistanceKm: 2.1 }]);
    await server.db.updateTable('drivers').set({ available: false }).where('id', '=', driver.id).execute();

    server.config.driverPay.baseCents = 1;
    expect((await send('acceptOffer', { id })).status).toBe(200);
    expect((await deliver(driver, id)).status).toBe(200);
    server.config.driverPay.baseCents = 350;
    expect(await earnedBy(driver)).toBe(PAY_CENTS);
  });

  test('is assigned with a run to a driver who accepts automatically', async () => {
    const driver = await createTestDriver(server.db, { autoAccept: true });
    await standAt(server, driver, 0.4);
    const { _id: id } = await ship(server, shop);
    await withWorker(server, async () => {
      await vi.waitFor(async () => expect((await factsOf(server, id)).driver).toBe(driver.id), { timeout: 240_000 });
    });
    await server.db.updateTable('drivers').set({ available: false }).where('id', '=', driver.id).execute();
    expect(await payOf(id)).toBe(PAY_CENTS);
    await deliver(driver, id);
    expect(await earnedBy(driver)).toBe(PAY_CENTS);
  });

  test('is null, and no entry is written, where drivers are employees', async () => {
    const employer = await startTestServer();
    const account = await employer.createAccount({ paymentMode: 'deferred' });
    const driver = await createTestDriver(employer.db);
    const send = overHttp(employer.url, driver);
    expect((await send('readSession')).body.paid).toBe(false);
    const { _id: id } = await ship(employer, account);
    await offerRun(employer, account.id, id, [driver], new Date());
    expect((await send('listOffers')).body.offers).toMatchObject([{ pay: null }]);
    await send('acceptOffer', { id });
    await send('deliver', { id, deliveryCode: (await factsOf(employer, id)).code });
    expect((await send('readEarnings')).body).toMatchObject({ total: 0, entries: [] });
    expect(await ledgerSums(employer)).toEqual(new Map());
    await employer.stop();
  });
});

describe('the operator', () => {
  test('assigns with the current rates, and a reassignment replaces them', async () => {
    const [first, second] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    const { _id: id, referenceNumber } = await ship(server, shop);
    await assignAnyShipment(operator(), referenceNumber, first.id);
    expect(await payOf(id)).toBe(PAY_CENTS);
    const config = { ...server.config, driverPay: { ...server.config.driverPay, baseCents: 1_000 } };
    await assignAnyShipment({ ...operator(), config }, referenceNumber, second.id);
    expect(await payOf(id)).toBe(PAY_CENTS + 650);
    expect(await confirmAnyDelivery(operator(), referenceNumber, 'code lost')).toMatchObject({ outcome: 'done' });
    expect([await earnedBy(first), await earnedBy(second)]).toEqual([0, PAY_CENTS + 650]);
  });

  test('unassigns with the pay', async () => {
    const driver = await createTestDriver(server.db);
    const { _id: id, referenceNumber } = await ship(server, shop);
    await assignAnyShipment(operator(), referenceNumber, driver.id);
    await unassignAnyShipment(operator(), referenceNumber);
    expect(await payOf(id)).toBe(0);
  });

  test('corrects by entries, lists them, and is refused a malformed amount, month or driver', async () => {
    const driver = await createTestDriver(server.db);
    const navette = (...args: string[]) => runNavette(['driver', ...args, '--json'], server.environment);
    const corrected = await navette('correct', driver.email, '--amount', '-4.50', '--reason', 'double payment');
    expect(JSON.parse(corrected.stdout)).toEqual({ entry: 1, amount: -4.5, balance: -4.5 });
    const listed = await navette('ledger', driver.id, '--month', month());
    expect(JSON.parse(listed.stdout)).toMatchObject([{ kind: 'correction', amount: -4.5, reason: 'double payment' }]);
    expect(JSON.parse((await navette('ledger', driver.id)).stdout)).toHaveLength(1);
    const failures = await Promise.all([
      navette('correct', driver.id, '--amount', '0', '--reason', 'none'),
      navette('correct', driver.id, '--amount', '1', '--reason', ' '),
      navette('ledger', driver.id, '--month', '2030-13'),
      navette('ledger', 'nobody@example.org'),
    ]);
    expect(failures.map(({ code }) => code)).toEqual([2, 2, 2, 1]);
  });
});

describe('the ledger of drivers', () => {
  test('refuses to change or delete an entry', async () => {
    const driver = await createTestDriver(server.db);
    await correctDriverBalance(server.db, driver.id, 100, 'bonus');
    for (const change of [
      sql`update driver_ledger_entries set amount_cents = 1`,
      sql`delete from driver_ledger_entries`,
      sql`truncate driver_ledger_entries`,
    ]) {
      await expect(change.execute(server.db)).rejects.toThrow('append-only');
    }
  });

  test('pays a run once, however often and by however many its delivery is confirmed', async () => {
    const driver = await createTestDriver(server.db);
    const { _id: id, referenceNumber } = await ship(server, shop);
    await assignAnyShipment(operator(), referenceNumber, driver.id);
    await Promise.all([
      ...Array.from({ length: 8 }, () => deliver(driver, id)),
      ...Array.from({ length: 4 }, () => confirmAnyDelivery(operator(), referenceNumber, 'by phone')),
    ]);
    expect(await earnedBy(driver)).toBe(PAY_CENTS);
    expect(await brokenInvariants(server)).toEqual([]);
  });

  test('is audited: a payment that is missing, wrong or for nothing, and a balance that drifts, are found', async () => {
    const driver = await createTestDriver(server.db);
    const { _id: id, referenceNumber } = await ship(server, shop);
    const { _id: open, referenceNumber: openReference } = await ship(server, shop);
    for (const reference of [referenceNumber, openReference]) await assignAnyShipment(operator(), reference, driver.id);
    await deliver(driver, id);
    const audit = async (db: Database) => [...(await auditDriverPay(db)), ...(await auditDriverLedgers(db))];
    const find = (...damage: RawBuilder<unknown>[]) => findAfterDamage(server, audit, damage);
    expect(await find()).toEqual({});
    expect(Object.keys(await find(sql`update shipments set driver_pay_cents = 1 where id = ${id}`))).toEqual([
      'every delivered shipment with a pay is paid once, this pay, to its driver',
    ]);
    expect(await find(sql`update shipments set driver_pay_cents = 0 where id = ${id}`)).toEqual({
      'no driver is paid for a shipment that is not delivered, or has no pay': [`${driver.id} entry 1`],
    });
    expect(await find(sql`update shipments set driver_id = null where id = ${open}`)).toEqual({
      'a shipment has a pay only with a driver': [open],
    });
    expect(
      await find(sql`update driver_balances set balance_cents = balance_cents + 1 where driver_id = ${driver.id}`),
    ).toEqual({ 'the balance of a driver is the sum of the entries': [driver.id] });
  });
});

describe('earnings and statement', () => {
  const JANUARY = new Date('2031-01-31T22:59:59.999Z'); // 23:59 in Paris
  const FEBRUARY = new Date('2031-01-31T23:00:00.000Z'); // midnight in Paris

  test('are of a month in the service’s time zone, and each month opens with the balance of the one before', async () => {
    const driver = await createTestDriver(server.db, { firstName: 'محمد', now: FEBRUARY });
    await correctDriverBalance(server.db, driver.id, 1_000, 'January', JANUARY);
    await correctDriverBalance(server.db, driver.id, -250, 'February', FEBRUARY);
    await correctDriverBalance(server.db, driver.id, 5, 'a clock that is late', JANUARY);
    server.setNow(FEBRUARY);
    const january = await (await read(driver, '/earnings?month=2031-01')).json();
    expect(january).toEqual({
      success: true,
      month: '2031-01',
      total: 10,
      entries: [
        { at: JANUARY.toISOString(), kind: 'correction', amount: 10, referenceNumber: null, reason: 'January' },
      ],
    });
    const february = (await overHttp(server.url, driver)('readEarnings')).body;
    expect(february).toMatchObject({ month: '2031-02', total: -2.45 });
    expect(february.entries.map(({ reason }: { reason: string }) => reason)).toEqual([
      'February',
      'a clock that is late',
    ]);

    const csv = await (await read(driver, '/earnings/2031-02/statement.csv')).text();
    expect(csv.split('\r\n')).toEqual([
      'Écriture;Date;Nature;Envoi;Motif;Montant;Solde',
      ';2031-02;Solde initial;;;;"10,00"',
      `2;${FEBRUARY.toISOString()};Correction;;February;"-2,50";"7,50"`,
      `3;${FEBRUARY.toISOString()};Correction;;a clock that is late;"0,05";"7,55"`,
      ';2031-02;Solde final;;;;"7,55"',
      '',
    ]);
    const march = await (await read(driver, '/earnings/2031-03/statement.csv')).text();
    expect(march).toContain('Solde initial;;;;"7,55"');

    const pdf = await read(driver, '/earnings/2031-02/statement.pdf');
    server.setNow(null);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="releve-2031-02.pdf"');
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(await faultsOfPdf(bytes)).toBe('');
    const [page = '', ...more] = await textOfPages(bytes);
    expect(more).toEqual([]);
    for (const text of ['février 2031', '10,00 €', '-2,45 €', '7,55 €', 'a clock that is late', 'Page 1 sur 1']) {
      expect(page).toContain(text);
    }
  });

  test('of a busy month have every entry on some page, and the totals on the last', async () => {
    const driver = await createTestDriver(server.db);
    for (let i = 1; i <= 90; i++) await correctDriverBalance(server.db, driver.id, i, `entry number ${i}.`);
    const bytes = Buffer.from(await (await read(driver, `/earnings/${month()}/statement.pdf`)).arrayBuffer());
    expect(await faultsOfPdf(bytes)).toBe('');
    const pages = await textOfPages(bytes);
    expect(pages).toHaveLength(3);
    for (let i = 1; i <= 90; i++) expect(pages.join(' ')).toContain(`entry number ${i}.`);
    expect(pages[2]).toContain('40,95 €');
    expect(pages[2]).toContain('Page 3 sur 3');
  });

  test('of another driver cannot be read, and a malformed month is refused without a failure', async () => {
    const [driver, other] = [await createTestDriver(server.db), await createTestDriver(server.db)];
    await correctDriverBalance(server.db, other.id, 700, 'for the other driver');
    expect(await (await read(driver, '/earnings')).text()).not.toContain('other driver');
    expect(await (await read(driver, `/earnings/${month()}/statement.csv`)).text()).not.toContain('other driver');
    for (const bad of ['2030-13', '2030-00', '2030-1', '1999-01', 'x', '', '2030-05-01', '9999-12']) {
      const answer = await callApi(`${server.url}/driver/api/v1/earnings`, { key: driver.token }, 'GET', {
        query: { month: bad },
      });
      expect([bad, answer.status]).toEqual([bad, 400]);
      expect(answer.body.errors[0]).toMatchObject({ path: 'month', location: 'query' });
      for (const type of ['pdf', 'csv']) {
        const { status } = await read(driver, `/earnings/${encodeURIComponent(bad)}/statement.${type}`);
        expect([bad, status]).toEqual([bad, 404]);
      }
    }
    expect((await read({ token: 'wrong' }, `/earnings/${month()}/statement.pdf`)).status).toBe(401);
  });
});
