import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { auditDispatch } from './audit-dispatch.ts';

const HAS_DRIVER = 'a shipment has a driver exactly while it is assigned, picked up, in transit or delivered';
const NO_NEEDLESS_SEARCH = 'a shipment that has a driver or needs none has no active search';
const HAS_START_TIME =
  'a programmed shipment has a time at which its search starts (if not, give its account an agreedPickupTime with `navette account update`)';
const HAS_SEARCH = 'a shipment that needs a driver has an active search';
const HAS_TIMER = 'an active search has a timer for its next step';
const ONE_ACCEPTED = 'a search that found a driver has one accepted offer, or was assigned by the operator';
const LAST_ASSIGNED = 'a shipment belongs to the driver who was assigned last';
const NO_OPEN_OFFERS = 'an ended search has no open offers';
const SEARCH_EXISTS = 'an offer or a decision names a search that exists';
const SUMMARISED = 'a shipment whose searches are summarised has ended, and has none';
const HAS_REASON = 'a delivery after five wrong codes has a reason given by the operator';

let server: TestServer;
let shop: TestAccount;
let driver: TestDriver;
const ids = { offered: '', assigned: '', delivered: '' };
let programmed: Awaited<ReturnType<typeof ship>>;
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_OFFER_SECONDS: '3600' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db);
  const worker = await startTestWorker(server);
  await standAt(server, driver, 0.5);
  const send = overHttp(server.url, driver);
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) {
    ids[name] = (await ship(server, shop))._id;
    await offered(ids[name]);
    if (name !== 'offered') await send('acceptOffer', { id: ids[name] });
  }
  await send('deliver', { id: ids.delivered, deliveryCode: (await factsOf(server, ids.delivered)).code });
  programmed = await ship(server, shop, { scheduledDate: '2031-03-05', timeSlot: '14h-16h' });
  await allChangesFollowed();
  await worker.stop();
});
afterAll(() => server.stop());

const WAIT = { timeout: 240_000, interval: 50 };
const offered = (id: string) => vi.waitFor(async () => expect(await openOffers(server, id)).toEqual([driver.id]), WAIT);
const allChangesFollowed = () =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pgboss.job where name = 'follow-change' and state < 'completed'`.execute(
      server.db,
    );
    expect(rows).toHaveLength(0);
  }, WAIT);

const findAfter = (...damage: RawBuilder<unknown>[]) => findAfterDamage(server, auditDispatch, damage);
const longAgo = sql`updated_at = now() - interval '1 hour'`;

describe('the audit of dispatch', () => {
  test('finds nothing after normal work, and every invariant is tested here', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
    const names = (await auditDispatch(server.db)).map(({ invariant }) => invariant);
    expect(names).toEqual([
      HAS_DRIVER,
      NO_NEEDLESS_SEARCH,
      HAS_START_TIME,
      HAS_SEARCH,
      HAS_TIMER,
      ONE_ACCEPTED,
      LAST_ASSIGNED,
      NO_OPEN_OFFERS,
      SEARCH_EXISTS,
      SUMMARISED,
      HAS_REASON,
    ]);
  });

  test('finds a shipment under way without a driver, and a waiting shipment with one', async () => {
    expect(await findAfter(sql`update shipments set driver_id = null where id = ${ids.assigned}`)).toEqual({
      [HAS_DRIVER]: [ids.assigned],
    });
    expect(await findAfter(sql`update shipments set driver_id = ${driver.id} where id = ${ids.offered}`)).toEqual({
      [HAS_DRIVER]: [ids.offered],
    });
  });

  test('finds a search for a shipment that needs none, except within a minute of its cancellation', async () => {
    const change = sql`update shipments set status = 'picked_up', driver_id = ${driver.id} where id = ${ids.offered}`;
    expect(await findAfter(change)).toEqual({ [NO_NEEDLESS_SEARCH]: [ids.offered] });
    const cancelled = sql`update shipments set status = 'cancelled', updated_at = now() where id = ${ids.offered}`;
    expect(await findAfter(cancelled)).toEqual({});
    const forgotten = sql`update shipments set status = 'cancelled', ${longAgo} where id = ${ids.offered}`;
    expect(await findAfter(forgotten)).toEqual({ [NO_NEEDLESS_SEARCH]: [ids.offered] });
  });

  test('finds a programmed shipment without a time at which its search starts', async () => {
    const timeless = sql`update shipments set activate_at = null where id = ${programmed._id}`;
    expect(await findAfter(timeless)).toEqual({ [HAS_START_TIME]: [programmed.referenceNumber] });
  });

  test('finds a waiting shipment without a search, unless the job that starts one is queued', async () => {
    const stopped = [
      sql`update shipments set ${longAgo} where id = ${ids.offered}`,
      sql`update driver_searches set state = 'stopped', ended_at = now() where shipment_id = ${ids.offered}`,
      sql`update driver_offers set answer = 'withdrawn', answered_at = now() where shipment_id = ${ids.offered}`,
    ];
    expect(await findAfter(...stopped)).toEqual({ [HAS_SEARCH]: [ids.offered] });
    const payload = JSON.stringify({ accountId: shop.id, shipmentId: ids.offered });
    const queued = sql`insert into pgboss.job (name, data) values ('search-driver', ${payload})`;
    expect(await findAfter(...stopped, queued)).toEqual({});
  });

  test('finds a search whose timer is missing, or set for another step', async () => {
    const timers = sql`name = 'search-driver' and data->>'shipmentId' = ${ids.offered}`;
    expect(await findAfter(sql`delete from pgboss.job where ${timers} and state < 'completed'`)).toEqual({
      [HAS_TIMER]: [ids.offered],
    });
    const moved = sql`update driver_searches set step = step + 1 where shipment_id = ${ids.offered}`;
    expect(await findAfter(moved)).toEqual({ [HAS_TIMER]: [ids.offered] });
  });

  test('finds an assignment without an accepted offer, and an accepted offer without an assignment', async () => {
    const unaccepted = sql`update driver_offers set answer = 'expired' where shipment_id = ${ids.assigned}`;
    expect(await findAfter(unaccepted)).toEqual({ [ONE_ACCEPTED]: [ids.assigned] });
    const undecided = sql`delete from dispatch_decisions where shipment_id = ${ids.assigned} and kind = 'assigned'`;
    expect(await findAfter(undecided)).toEqual({ [ONE_ACCEPTED]: [ids.assigned] });
    const accepted = sql`update driver_offers set answer = 'accepted', answered_at = now() where shipment_id = ${ids.offered}`;
    expect(await findAfter(accepted)).toEqual({ [ONE_ACCEPTED]: [ids.offered] });
  });

  test('finds a shipment whose driver is not the one who accepted it', async () => {
    const other = sql`update shipments set driver_id = ${randomUUIDv7()} where id = ${ids.assigned}`;
    expect(await findAfter(other)).toEqual({ [LAST_ASSIGNED]: [ids.assigned] });
  });

  test('finds an open offer of an ended search', async () => {
    const open = sql`update driver_offers set answer = null, answered_at = null where shipment_id = ${ids.delivered}`;
    expect(Object.keys(await findAfter(open)).sort()).toEqual([NO_OPEN_OFFERS, ONE_ACCEPTED].sort());
  });

  test('finds offers and decisions of a search that was deleted, and a summary of a search that was not', async () => {
    const deleted = sql`delete from driver_searches where shipment_id = ${ids.delivered}`;
    expect(await findAfter(deleted)).toEqual({ [SEARCH_EXISTS]: expect.arrayContaining([ids.delivered]) });
    const summary = (id: string) => sql`
      insert into dispatch_summaries values (${shop.id}, ${id}, 1, 1, 0, 0, 0, now())`;
    expect(await findAfter(summary(ids.delivered))).toEqual({ [SUMMARISED]: [ids.delivered] });
    expect(await findAfter(summary(programmed._id))).toEqual({ [SUMMARISED]: [programmed._id] });
  });

  test('finds a delivery after five wrong codes without a reason', async () => {
    const guessed = sql`update shipments set wrong_delivery_codes = 5 where id = ${ids.delivered}`;
    expect(await findAfter(guessed)).toEqual({ [HAS_REASON]: [ids.delivered] });
  });
});
