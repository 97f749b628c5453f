import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { northOfPickup, ship } from '../../../test/dispatched.ts';
import { createTestDriver } from '../../../test/driver-app.ts';
import { moveShipment } from '../../../test/move-shipment.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { localDay, localHour } from '../../calendar/local-calendar.ts';
import { createMemoryPositions } from '../drivers/index.ts';
import { createArrivals } from './arrivals.ts';
import { readDays, readLegs } from './knowledge.ts';
import { learnArrivals } from './learn-arrivals.handler.ts';
import { noteForecasts } from './note-forecasts.handler.ts';

let server: TestServer;
let shop: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
});
afterAll(() => server.stop());

const MINUTE = 60_000;
const AT = Math.ceil(Date.now() / (24 * 60 * MINUTE)) * 24 * 60 * MINUTE + 13 * 60 * MINUTE; // tomorrow at 13:00 UTC
const ZONE = 'Europe/Paris';
const at = (minute: number) => new Date(AT + minute * MINUTE);

test('an estimate is noted, compared with the delivery, and its day is learned once', async () => {
  const { db, config } = server;
  const positions = createMemoryPositions();
  const arrivals = createArrivals({ db, positions, config });
  const { id: driverId } = await createTestDriver(db, { available: false });
  const { _id: id } = await ship(server, shop);
  await sql`update shipments set delivery_address = delivery_address::jsonb || ${JSON.stringify({ coordinates: northOfPickup(3), postalCode: '75 018' })}::jsonb
    where id = ${id}`.execute(db);
  expect(await arrivals.ofDrivers([driverId], at(0))).toEqual(new Map());
  await moveShipment(server, shop, id, 'assign', { driverId, now: at(0) });
  await moveShipment(server, shop, id, 'pick_up', { now: at(5) });
  expect((await arrivals.ofDrivers([driverId], at(6))).has(id)).toBe(true); // from the pickup
  expect((await arrivals.ofDrivers([driverId], at(60))).has(id)).toBe(false); // the driver may be anywhere

  for (const minute of [10, 15, 20, 25, 30, 35]) {
    const km = (minute - 10) / 12;
    await positions.save({ driverId, available: false, isRobot: false }, { ...northOfPickup(km), at: at(minute) });
    await noteForecasts(db, arrivals, at(minute));
  }
  const noted = await db.selectFrom('arrival_forecasts').select('forecasts').where('shipment_id', '=', id).execute();
  expect(noted[0]?.forecasts.map((forecast) => forecast.at)).toEqual(
    [35, 30, 25, 20, 15].map((minute) => at(minute).toISOString()),
  );

  await moveShipment(server, shop, id, 'deliver', { now: at(37) });
  expect(await arrivals.ofDrivers([driverId], at(38))).toEqual(new Map());
  await Promise.all([learnArrivals({ db, config }, at(24 * 60)), learnArrivals({ db, config }, at(24 * 60))]);
  await learnArrivals({ db, config }, at(24 * 60 + 1));
  const [day] = await readDays(db, 1);
  expect(day).toMatchObject({ day: localDay(at(0), ZONE), legs: 1, measured: 1, inside: 1 });
  const learned = await readLegs(db);
  const hour = Number(localHour(at(0), ZONE));
  expect([...learned.keys()].sort()).toEqual([`* ${hour}`, `75018 ${hour}`]);
  expect(learned.get(`75018 ${hour}`)?.legs).toBe(1);

  await learnArrivals({ db, config }, at(3 * 24 * 60));
  expect(await db.selectFrom('arrival_forecasts').select('shipment_id').execute()).toEqual([]);
  expect((await readLegs(db)).get(`75018 ${hour}`)?.legs).toBeCloseTo(0.93 ** 2);
});
