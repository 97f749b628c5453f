import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { northOfPickup, ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { eventually } from '../../../test/eventually.ts';
import { holdUpdates } from '../../../test/lock-waits.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startNavette } from '../../../test/navette-process.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { lastDays } from '../../calendar/local-calendar.ts';
import { createBoss } from '../../jobs/boss.ts';
import { learnArrivalsJob } from '../../jobs/definitions.ts';
import { readDays, readLegs } from './knowledge.ts';
import { learnArrivals } from './learn-arrivals.handler.ts';

const ROWS_OF_A_DAY = 2; // the postal code, and all together
const ZONE = 'Europe/Paris';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

/** Half an hour on the road at noon of this day, to the same place each day. */
async function deliverOn(day: string, driverId: string): Promise<void> {
  const { _id: id } = await ship(server, shop);
  const place = JSON.stringify({ coordinates: northOfPickup(3), postalCode: '75018' });
  await sql`update shipments set delivery_address = delivery_address::jsonb || ${place}::jsonb where id = ${id}`.execute(
    server.db,
  );
  const at = (minute: number) => new Date(Date.parse(`${day}T11:00:00Z`) + minute * 60_000);
  await moveShipment(server, shop, id, 'assign', { driverId });
  await moveShipment(server, shop, id, 'pick_up', { doneAt: at(5) });
  await moveShipment(server, shop, id, 'deliver', { doneAt: at(35) });
}

const knowledge = async () => ({
  legs: Object.fromEntries(await readLegs(server.db)),
  days: (await readDays(server.db, 100)).filter(({ legs }) => legs > 0),
});

test('a worker that is killed while it learns leaves whole days, and the next run completes them', async () => {
  const { db, config } = server;
  const { id: driverId } = await createTestDriver(db, { available: false });
  const [first, second, today] = lastDays(3, ZONE, new Date()) as [string, string, string];
  const noonOf = (day: string) => new Date(`${day}T11:00:00Z`);
  await deliverOn(first, driverId);
  await deliverOn(second, driverId);
  await learnArrivals({ db, config }, noonOf(second));
  const afterFirst = await knowledge();
  await learnArrivals({ db, config }, noonOf(today));
  const afterSecond = await knowledge();
  expect([afterFirst.days.length, afterSecond.days.length]).toEqual([1, 2]);
  expect(afterSecond.legs).not.toEqual(afterFirst.legs);
  await sql`delete from arrival_days where day in (${first}, ${second})`.execute(db);
  await sql`delete from arrival_legs`.execute(db);

  const held = await holdUpdates(db, 'arrival_legs', ROWS_OF_A_DAY + 1, 'insert'); // in the middle of the second day
  const victim = await startNavette(['worker'], server.environment);
  const boss = await createBoss(config, server.app.log).start();
  await boss.send(learnArrivalsJob.name, {});
  await held.reached();
  await victim.kill();
  await boss.stop({ graceful: false });
  await held.release();
  await eventually(async () => {
    // The connection of the dead process ends when its statement does.
    const { rows } =
      await sql`select from pg_locks where relation = 'arrival_legs'::regclass and mode = 'ExclusiveLock'`.execute(db);
    expect(rows).toEqual([]);
  });
  expect(await knowledge()).toEqual(afterFirst);

  for (let run = 0; run < 2; run++) {
    await learnArrivals({ db, config }, noonOf(today));
    expect(await knowledge()).toEqual(afterSecond);
  }
});
