import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchAmong, ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { rowsRead } from '../../../test/rows-read.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';
import type { Tx } from '../../database/database.ts';
import { readDriverAnswers, readDriverFacts } from './candidates.ts';
import { closeOffers, expireOffers, listAsked } from './end-search.ts';
import { lockActiveSearches, type Search } from './searches.ts';

const ELSEWHERE = 3_000; // open offers of other drivers, and as many that this driver did not answer
const COLLEAGUES = 60; // with one colleague, half of all open offers are one driver's, and a sequential scan is right
const MOST_READ = 20; // rows; each query needs a few

let server: TestServer;
let search: Search;
let wanted: { accountId: string; shipmentId: string };
let driverId: string;
beforeAll(async () => {
  server = await startTestServer();
  const shop = await server.createAccount({ paymentMode: 'deferred' });
  const { _id } = await ship(server, shop);
  driverId = (await createTestDriver(server.db)).id;
  const colleagues: string[] = [];
  while (colleagues.length < COLLEAGUES) colleagues.push((await createTestDriver(server.db)).id);
  await searchAmong(server, shop, _id, []);
  wanted = { accountId: shop.id, shipmentId: _id };
  const found = await server.db.transaction().execute((tx) => lockActiveSearches(tx, [wanted]));
  search = found.get(_id) as Search;
  await sql`
    with other as (
      insert into driver_searches (id, account_id, shipment_id, state, started_at)
      select gen_random_uuid(), ${shop.id}, gen_random_uuid(), 'searching', now() from generate_series(1, ${ELSEWHERE})
      returning id, account_id, shipment_id
    ), numbered as (
      select *, (${colleagues}::uuid[])[1 + row_number() over () % ${COLLEAGUES}::int] as colleague from other
    )
    insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at,
                               answer, answered_at)
    select gen_random_uuid(), numbered.id, account_id, shipment_id, asked, 1, 1, 100, now(), now(), answer, answered_at
    from numbered,
         lateral (values (colleague, null, null::timestamptz), (${driverId}::uuid, 'expired', now())) as kind (asked, answer, answered_at)`.execute(
    server.db,
  );
  await sql`
    insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at)
    values (${randomUUIDv7()}, ${search.id}, ${shop.id}, ${_id}, ${driverId}, 1, 1, 100, now(), now())`.execute(
    server.db,
  );
  await sql`analyze driver_offers`.execute(server.db);
});
afterAll(() => server.stop());

const offersRead = (work: (tx: Tx) => Promise<unknown>) => rowsRead(server.db, 'public.driver_offers', work);

describe('a step of a search reads its own offers, however many are open elsewhere', () => {
  test('when it checks for open offers', async () => {
    expect(await offersRead((tx) => listAsked(tx, search))).toBeLessThan(MOST_READ);
  });
  test('when it reads which drivers did not answer or refused', async () => {
    const read = offersRead(async (tx) => {
      await readDriverFacts(tx, [driverId], new Date());
      await readDriverAnswers(tx, [{ search, driverIds: [driverId] }]);
    });
    expect(await read).toBeLessThan(MOST_READ);
  });
  test('when it closes offers', async () => {
    const read = offersRead(async (tx) =>
      expect(await closeOffers(tx, search, 'withdrawn', new Date())).toEqual([driverId]),
    );
    expect(await read).toBeLessThan(MOST_READ);
  });
  test('when they expire', async () => {
    await sql`update driver_offers set answer = null, answered_at = null where search_id = ${search.id}`.execute(
      server.db,
    );
    const step = { search, asked: [driverId], now: new Date(), wanted };
    expect(await offersRead((tx) => expireOffers(tx, server.jobs, [step]))).toBeLessThan(MOST_READ);
    expect(await server.db.transaction().execute((tx) => listAsked(tx, search))).toEqual([]);
  });
});
