import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, type TestDriver } from '../../../test/driver-app.ts';
import { type JobClock, takeJobClock } from '../../../test/job-clock.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker, type TestWorker } from '../../../test/test-worker.ts';
import { timeLimitMs } from '../../../test/time-limit.ts';
import { activateShipmentJob } from '../../jobs/definitions.ts';

const WAIT = { timeout: 240_000, interval: 50 };
const ENTERED = new Date('2027-03-01T08:00:00Z');

/**
 * Two local days of Europe/Paris: the one that has no 2 o'clock and the one that has it twice. Each slot is an hour
 * after its activation in elapsed time, across the change of the local clock.
 */
const DAYS = [
  {
    day: 'when the local hour 2:00 is skipped',
    date: '2027-03-28',
    slots: [
      { timeSlot: '1h30-3h30', activates: '2027-03-27T23:30:00Z' },
      { timeSlot: '3h-5h', activates: '2027-03-28T00:00:00Z' }, // at 1h local time
      { timeSlot: '3h30-5h', activates: '2027-03-28T00:30:00Z' }, // at 1h30
      { timeSlot: '14h-16h', activates: '2027-03-28T11:00:00Z' }, // at 13h, summer time
    ],
  },
  {
    day: 'when the local hour 2:00 comes twice',
    date: '2027-10-31',
    slots: [
      { timeSlot: '1h30-3h', activates: '2027-10-30T22:30:00Z' },
      { timeSlot: '3h-5h', activates: '2027-10-31T01:00:00Z' }, // at the second 2h
      { timeSlot: '3h30-5h', activates: '2027-10-31T01:30:00Z' },
      { timeSlot: '14h-16h', activates: '2027-10-31T12:00:00Z' }, // at 13h, winter time
    ],
  },
];

let server: TestServer;
let clock: JobClock;
let worker: TestWorker;
let shop: TestAccount;
let driver: TestDriver;
let stood = 0;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_OFFER_SECONDS: '3600', DISPATCH_RUNS_PER_DRIVER: '50' });
  clock = await takeJobClock(server);
  await clock.set(ENTERED);
  server.setNow(ENTERED);
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db, { now: ENTERED });
  worker = await startTestWorker(server, () => clock.now());
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const statusesOf = async (ids: string[]) => Promise.all(ids.map(async (id) => (await factsOf(server, id)).status));
const activated = (id: string) =>
  vi.waitFor(async () => expect((await factsOf(server, id)).status).toBe('created'), WAIT);

/** A shipment of a far day with a job set for `at`. Once it was activated, the job engine has processed that time. */
async function scheduleCanary(at: Date): Promise<string> {
  const { _id: shipmentId } = await ship(server, shop, { scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
  const options = { startAfter: at, singletonKey: `canary ${shipmentId}` };
  await server.db
    .transaction()
    .execute((tx) => server.jobs.send(tx, activateShipmentJob, { accountId: shop.id, shipmentId }, options));
  return shipmentId;
}

const jobsScheduledFor = async (ids: string[]) => {
  const { rows } = await sql`
    select from pgboss.job where name = ${activateShipmentJob.name} and singleton_key = any(${ids})`.execute(server.db);
  return rows.length;
};

describe.each(DAYS)('on $date, $day', ({ date, slots }) => {
  test('the search for each scheduled shipment starts an hour before its slot, and not a minute earlier', async () => {
    const ids: string[] = [];
    for (const { timeSlot } of slots) ids.push((await ship(server, shop, { scheduledDate: date, timeSlot }))._id);
    await vi.waitFor(async () => expect(await jobsScheduledFor(ids)).toBe(ids.length), WAIT);

    for (const [i, { activates }] of slots.entries()) {
      server.setNow(new Date(ENTERED.getTime() + 2_000 * ++stood)); // at most one position a second is kept
      await standAt(server, driver, 0.5); // forgotten after two minutes
      const due = new Date(activates);
      const id = ids[i] ?? '';
      const almost = new Date(due.getTime() - 60_000);
      const canary = await scheduleCanary(almost);
      await clock.set(almost);
      await activated(canary);
      expect((await statusesOf(ids)).slice(i)).toEqual(slots.slice(i).map(() => 'programmed'));

      await clock.set(due);
      await activated(id);
      expect((await statusesOf(ids)).slice(i + 1)).toEqual(slots.slice(i + 1).map(() => 'programmed'));
      const late = (await lastChangeOf(id)).getTime() - due.getTime();
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(timeLimitMs(30_000));
      await vi.waitFor(async () => expect(await openOffers(server, id)).toEqual([driver.id]), WAIT);
    }
  });
});

async function lastChangeOf(id: string): Promise<Date> {
  const { updated_at } = await server.db
    .selectFrom('shipments')
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return updated_at;
}

test('afterwards every invariant holds', async () => {
  expect(await brokenInvariants(server)).toEqual([]);
});
