import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { crowd } from '../../../test/crowd.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { earnedByShipments, ledgerSums, offerRun, PAY } from '../../../test/paid-runs.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { assignAnyShipment, confirmAnyDelivery } from '../dispatch/index.ts';
import { correctDriverBalance } from './driver-ledger.ts';
import { readStatement } from './read-statement.ts';

const DRIVERS = 3;
const AT_ONCE = 6;
/** Around the ends of months, also of those in which clocks change. */
const DAYS = ['2031-01-31', '2031-02-01', '2031-02-28', '2031-03-30', '2031-03-31', '2031-04-01', '2031-10-26'];
const MONTHS = Array.from({ length: 12 }, (_, i) => `2031-${String(i + 1).padStart(2, '0')}`);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ...PAY, DISPATCH_RUNS_PER_DRIVER: '1000' });
});
afterAll(() => server.stop());

const driver = fc.nat(DRIVERS - 1);
const run = fc.record({
  kind: fc.constant('run' as const),
  grams: fc.integer({ min: 1, max: 30_000 }),
  baseCents: fc.nat(700), // the rate on this day; with 0 the run may have no pay at all
  assigned: fc.constantFrom('accepted' as const, 'by the operator' as const),
  to: driver,
  /** Replaced by another driver before the pickup. */
  replacedBy: fc.option(driver),
  ends: fc.constantFrom('code' as const, 'code twice' as const, 'operator' as const, 'both' as const, 'never' as const),
});
const correction = fc.record({
  kind: fc.constant('correction' as const),
  of: driver,
  cents: fc.integer({ min: -5_000, max: 5_000 }).filter((cents) => cents !== 0),
});
const day = fc.record({
  date: fc.constantFrom(...DAYS),
  hour: fc.nat(23),
  acts: fc.array(fc.oneof({ weight: 4, arbitrary: run }, { weight: 1, arbitrary: correction }), {
    minLength: 1,
    maxLength: 6,
  }),
});
type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

async function doRun(shop: TestAccount, drivers: TestDriver[], wanted: Run, now: Date): Promise<void> {
  const { grams, baseCents, assigned, to, replacedBy, ends } = wanted;
  const { _id: id, referenceNumber } = await ship(server, shop, {
    parcelDetails: { weight: grams / 1_000, nature: 'Livres' },
  });
  const config = { ...server.config, driverPay: { ...server.config.driverPay, baseCents } };
  const operator = { ...server, config, now };
  if (assigned === 'accepted') await offerToAll({ ...server, config }, shop, drivers, id, now);
  else await assignAnyShipment(operator, referenceNumber, (drivers[to] as TestDriver).id);
  if (replacedBy !== null) await assignAnyShipment(operator, referenceNumber, (drivers[replacedBy] as TestDriver).id);

  const { code, driver: driverId } = await factsOf(server, id);
  const winner = drivers.find((one) => one.id === driverId) as TestDriver;
  const byCode = () => overHttp(server.url, winner)('deliver', { id, deliveryCode: code });
  const byOperator = () => confirmAnyDelivery(operator, referenceNumber, 'by phone');
  const confirmations = {
    code: [byCode],
    'code twice': [byCode, byCode],
    operator: [byOperator],
    both: [byCode, byOperator],
    never: [],
  }[ends];
  await Promise.all(confirmations.map((confirm) => confirm()));
}

/** Offers the run to every driver, who all accept at once. The offer shows the quoted pay. */
async function offerToAll(
  context: Pick<TestServer, 'db' | 'config'>,
  shop: TestAccount,
  drivers: TestDriver[],
  id: string,
  now: Date,
): Promise<void> {
  const quoted = await offerRun(context, shop.id, id, drivers, now);
  const shown = await overHttp(server.url, drivers[0] as TestDriver)('listOffers');
  const offer = shown.body.offers.find(({ shipping }: { shipping: { id: string } }) => shipping.id === id);
  expect(offer.pay).toBe(quoted === 0 ? null : quoted / 100);
  const answers = await Promise.all(drivers.map((one) => overHttp(server.url, one)('acceptOffer', { id })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(DRIVERS - 1).fill(409)]);
}

test('over random days, the entries of each driver are the statements’ totals and what the shipments say', async () => {
  const days = fc.array(day, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(days, async (unordered) => {
      const shop = await server.createAccount({ paymentMode: 'deferred' }); // shipments of one account are in time order
      const drivers: TestDriver[] = [];
      const start = new Date('2030-12-31T12:00:00Z');
      for (let i = 0; i < DRIVERS; i++) drivers.push(await createTestDriver(server.db, { now: start }));
      const inUse = { last_used_at: new Date('2031-12-31'), expires_at: new Date('2032-12-31') };
      await server.db.updateTable('driver_sessions').set(inUse).execute();
      const corrected = new Map<string, number>();
      const at = ({ date, hour }: (typeof unordered)[number]) =>
        new Date(`${date}T${String(hour).padStart(2, '0')}:30:00Z`);
      for (const one of unordered.toSorted((a, b) => at(a).getTime() - at(b).getTime())) {
        const now = at(one);
        server.setNow(now);
        await crowd(AT_ONCE, one.acts, async (act) => {
          if (act.kind === 'run') return doRun(shop, drivers, act, now);
          const { id } = drivers[act.of] as TestDriver;
          corrected.set(id, (corrected.get(id) ?? 0) + act.cents);
          await correctDriverBalance(server.db, id, act.cents, 'correction', now);
        });
      }

      const [entries, earned] = [await ledgerSums(server), await earnedByShipments(server)];
      for (const one of drivers) {
        const expected = (earned.get(one.id) ?? 0) + (corrected.get(one.id) ?? 0);
        expect(entries.get(one.id) ?? 0).toBe(expected);
        let balance = 0;
        for (const month of MONTHS) {
          const statement = await readStatement(server.db, one.id, month, server.config.timeZone);
          expect(statement.openingCents).toBe(balance);
          balance = statement.closingCents;
          expect(statement.totalCents).toBe((await earnedIn(one.id, month)) + (await correctedIn(one.id, month)));
        }
        expect(balance).toBe(expected);
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
  server.setNow(null);
  expect(await brokenInvariants(server)).toEqual([]);
});

/** Recomputed from the shipments, with the month of another calendar than the one under test. */
async function earnedIn(driverId: string, month: string): Promise<number> {
  const rows = await server.db
    .selectFrom('shipments')
    .select(['driver_pay_cents', 'delivered_at'])
    .where('driver_id', '=', driverId)
    .where('status', '=', 'delivered')
    .execute();
  return rows
    .filter(({ delivered_at }) => parisMonth(delivered_at as Date) === month)
    .reduce((sum, { driver_pay_cents }) => sum + driver_pay_cents, 0);
}

async function correctedIn(driverId: string, month: string): Promise<number> {
  const rows = await server.db
    .selectFrom('driver_ledger_entries')
    .select(['amount_cents', 'at'])
    .where('driver_id', '=', driverId)
    .where('kind', '=', 'correction')
    .execute();
  return rows.filter(({ at }) => parisMonth(at) === month).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

const PARIS = new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', timeZone: 'Europe/Paris' });
const parisMonth = (at: Date) => PARIS.format(at);
