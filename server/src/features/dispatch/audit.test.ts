import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../test/broken-invariants.ts';
import { findAfterDamage } from '../../../test/damage.ts';
import { factsOf, openOffers, ship, standAt } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { startTestWorker } from '../../../test/test-worker.ts';
import { auditDispatch } from './audit.ts';

const HELD = 'a shipment has a driver exactly while it is assigned, picked up, in transit or delivered';
const SUPERFLUOUS = 'no driver is searched for a shipment that has one or needs none';
const FORGOTTEN = 'a driver is searched for every shipment that needs one';
const TIMED = 'a search that goes on has the timer of its next step';
const WON = 'a search that found a driver has one accepted offer, or the operator’s word';
const LAST = 'the driver who accepted last has the shipment';
const OVER = 'nothing is offered once its search is over';
const CODED = 'no delivery was confirmed after five wrong codes without the operator’s reason';

let server: TestServer;
let shop: TestAccount;
let driver: TestDriver;
const ids = { offered: '', assigned: '', delivered: '' };
beforeAll(async () => {
  server = await startTestServer({ DISPATCH_OFFER_SECONDS: '3600' });
  shop = await server.createAccount({ paymentMode: 'deferred' });
  driver = await createTestDriver(server.db);
  const worker = await startTestWorker(server);
  await standAt(server, driver, 0.5);
  const say = overHttp(server.url, driver);
  for (const name of Object.keys(ids) as (keyof typeof ids)[]) {
    ids[name] = (await ship(server, shop))._id;
    await offered(ids[name]);
    if (name !== 'offered') await say('acceptOffer', { id: ids[name] });
  }
  await say('deliver', { id: ids.delivered, deliveryCode: (await factsOf(server, ids.delivered)).code });
  await allFollowed();
  await worker.stop();
});
afterAll(() => server.stop());

const WAIT = { timeout: 15_000, interval: 50 };
const offered = (id: string) => vi.waitFor(async () => expect(await openOffers(server, id)).toEqual([driver.id]), WAIT);
const allFollowed = () =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pgboss.job where name = 'follow-change' and state < 'completed'`.execute(
      server.db,
    );
    expect(rows).toHaveLength(0);
  }, WAIT);

const findAfter = (...damage: RawBuilder<unknown>[]) => findAfterDamage(server.db, auditDispatch, damage);
const longAgo = sql`updated_at = now() - interval '1 hour'`;

describe('the audit of dispatch', () => {
  test('finds nothing, and each of its invariants is tested here', async () => {
    expect(await brokenInvariants(server)).toEqual([]);
    const names = (await auditDispatch(server.db)).map(({ invariant }) => invariant);
    expect(names).toEqual([HELD, SUPERFLUOUS, FORGOTTEN, TIMED, WON, LAST, OVER, CODED]);
  });

  test('a shipment under way that is nobody’s, and one that waits for a driver and has one', async () => {
    expect(await findAfter(sql`update shipments set driver_id = null where id = ${ids.assigned}`)).toEqual({
      [HELD]: [ids.assigned],
    });
    expect(await findAfter(sql`update shipments set driver_id = ${driver.id} where id = ${ids.offered}`)).toEqual({
      [HELD]: [ids.offered],
    });
  });

  test('a search for a shipment that needs none, but for the minute that a cancellation has', async () => {
    const change = sql`update shipments set status = 'picked_up', driver_id = ${driver.id} where id = ${ids.offered}`;
    expect(await findAfter(change)).toEqual({ [SUPERFLUOUS]: [ids.offered] });
    const cancelled = sql`update shipments set status = 'cancelled', updated_at = now() where id = ${ids.offered}`;
    expect(await findAfter(cancelled)).toEqual({});
    const forgotten = sql`update shipments set status = 'cancelled', ${longAgo} where id = ${ids.offered}`;
    expect(await findAfter(forgotten)).toEqual({ [SUPERFLUOUS]: [ids.offered] });
  });

  test('a shipment that waits for a driver whom nobody searches, or is about to', async () => {
    const stopped = [
      sql`update shipments set ${longAgo} where id = ${ids.offered}`,
      sql`update driver_searches set state = 'stopped', ended_at = now() where shipment_id = ${ids.offered}`,
      sql`update driver_offers set answer = 'withdrawn', answered_at = now() where shipment_id = ${ids.offered}`,
    ];
    expect(await findAfter(...stopped)).toEqual({ [FORGOTTEN]: [ids.offered] });
    const about = JSON.stringify({ accountId: shop.id, shipmentId: ids.offered });
    const queued = sql`insert into pgboss.job (name, data) values ('search-driver', ${about})`;
    expect(await findAfter(...stopped, queued)).toEqual({});
  });

  test('a search whose timer is gone, or set for another step', async () => {
    const timers = sql`name = 'search-driver' and data->>'shipmentId' = ${ids.offered}`;
    expect(await findAfter(sql`delete from pgboss.job where ${timers} and state < 'completed'`)).toEqual({
      [TIMED]: [ids.offered],
    });
    const moved = sql`update driver_searches set step = step + 1 where shipment_id = ${ids.offered}`;
    expect(await findAfter(moved)).toEqual({ [TIMED]: [ids.offered] });
  });

  test('a driver without an accepted offer, and an accepted offer without a driver', async () => {
    const unaccepted = sql`update driver_offers set answer = 'expired' where shipment_id = ${ids.assigned}`;
    expect(await findAfter(unaccepted)).toEqual({ [WON]: [ids.assigned] });
    const undecided = sql`delete from dispatch_decisions where shipment_id = ${ids.assigned} and kind = 'assigned'`;
    expect(await findAfter(undecided)).toEqual({ [WON]: [ids.assigned] });
    const accepted = sql`update driver_offers set answer = 'accepted', answered_at = now() where shipment_id = ${ids.offered}`;
    expect(await findAfter(accepted)).toEqual({ [WON]: [ids.offered] });
  });

  test('a shipment in the hands of somebody else than who accepted it', async () => {
    const other = sql`update shipments set driver_id = ${randomUUIDv7()} where id = ${ids.assigned}`;
    expect(await findAfter(other)).toEqual({ [LAST]: [ids.assigned] });
  });

  test('an offer that outlived its search', async () => {
    const open = sql`update driver_offers set answer = null, answered_at = null where shipment_id = ${ids.delivered}`;
    expect(Object.keys(await findAfter(open)).sort()).toEqual([OVER, WON].sort());
  });

  test('a delivery after five wrong codes without a reason', async () => {
    const guessed = sql`update shipments set wrong_delivery_codes = 5 where id = ${ids.delivered}`;
    expect(await findAfter(guessed)).toEqual({ [CODED]: [ids.delivered] });
  });
});
