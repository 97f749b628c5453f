import type { ShipmentRequest } from '@navette/contract';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Step } from '../src/features/dispatch/plan-step.ts';
import { takeSteps } from '../src/features/dispatch/take-steps.ts';
import { overHttp, type TestDriver } from './driver-app.ts';
import { shipmentRequest } from './shipment-request.ts';
import type { TestAccount, TestServer } from './test-server.ts';

/** The test merchant's pickup address. Drivers are placed this many kilometres north of it. */
const PICKUP = { latitude: 48.8556, longitude: 2.3601 };
export const northOfPickup = (km: number) => ({ ...PICKUP, latitude: PICKUP.latitude + km / 111.195 });

export async function standAt({ url }: Pick<TestServer, 'url'>, driver: TestDriver, km: number): Promise<void> {
  const { status, body } = await overHttp(url, driver)('sendPosition', northOfPickup(km));
  if (status !== 200 || !body.kept) throw new Error(`position not kept: ${JSON.stringify(body)}`);
}

export async function ship(
  server: Pick<TestServer, 'call'>,
  shop: TestAccount,
  changes: Partial<ShipmentRequest> = {},
): Promise<{ _id: string; referenceNumber: string; status: string }> {
  const { body } = await server.call(shop, 'POST', '/shipping', { body: shipmentRequest(changes) });
  if (!body.shipping) throw new Error(JSON.stringify(body));
  return body.shipping;
}

/** Creates this many express shipments in one request. */
export async function shipMany(server: Pick<TestServer, 'call'>, shop: TestAccount, many: number): Promise<string[]> {
  const shippings = Array.from({ length: many }, () => shipmentRequest());
  const { body } = await server.call(shop, 'POST', '/shipping/batch', { body: { shippings } });
  return body.shippings.map(({ shipping }: { shipping: { _id: string } }) => shipping._id);
}

export interface ShipmentFacts {
  status: string;
  driver: string | null;
  code: string;
  wrongCodes: number;
  history: string[];
  events: string[];
}

/** The facts about a shipment that the database stores. */
export async function factsOf({ db }: Pick<TestServer, 'db'>, shipmentId: string): Promise<ShipmentFacts> {
  const { rows } = await sql<ShipmentFacts>`
    select status, driver_id as driver, delivery_code as code, wrong_delivery_codes as "wrongCodes",
           array(select step->>'status' from jsonb_array_elements(status_history) step) as history,
           array(select e.type from events e where e.shipment_id = s.id order by e.created_at, e.id) as events
    from shipments s where id = ${shipmentId}`.execute(db);
  if (!rows[0]) throw new Error('no such shipment');
  return rows[0];
}

/** Creates express shipments and waits until each is offered to these drivers, who stay near the pickup. */
export async function shipOffered(
  server: Pick<TestServer, 'call' | 'db' | 'url'>,
  shop: TestAccount,
  many: number,
  drivers: TestDriver[],
): Promise<string[]> {
  const ids = await shipMany(server, shop, many);
  await vi.waitFor(
    async () => {
      for (const driver of drivers) await standAt(server, driver, 0.5); // a position is forgotten after two minutes
      const open = await server.db
        .selectFrom('driver_offers')
        .select((eb) => eb.fn.countAll<number>().as('offers'))
        .where('answer', 'is', null)
        .where('shipment_id', 'in', ids)
        .executeTakeFirstOrThrow();
      expect(open.offers).toBe(many * drivers.length);
    },
    { timeout: 240_000, interval: 2_000 },
  );
  return ids;
}

/** The first step of the search for a shipment, with these drivers near its pickup, nearest first. */
export const firstStep = (shop: TestAccount, shipmentId: string, drivers: { id: string }[]): Step => ({
  wanted: { accountId: shop.id, shipmentId },
  now: new Date(),
  aheadMs: 0,
  place: PICKUP,
  geocoderFailed: false,
  isTest: false,
  near: {
    drivers: drivers.map(({ id }, i) => ({ driverId: id, metres: i })),
    completeToMetres: Number.POSITIVE_INFINITY,
  },
});

/** Takes that step, without a worker. */
export const searchAmong = (
  { db, jobs, config }: Pick<TestServer, 'db' | 'jobs' | 'config'>,
  ...[shop, shipmentId, drivers]: Parameters<typeof firstStep>
) => db.transaction().execute((tx) => takeSteps(tx, { jobs, config }, [firstStep(shop, shipmentId, drivers)]));

/** Drivers with an open offer for the shipment, nearest first. */
export async function openOffers({ db }: Pick<TestServer, 'db'>, shipmentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('driver_offers')
    .select('driver_id')
    .where('shipment_id', '=', shipmentId)
    .where('answer', 'is', null)
    .orderBy('metres')
    .execute();
  return rows.map(({ driver_id }) => driver_id);
}
