import type { Shipment } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Locator } from '../geocoding/index.ts';

type PickupAddress = Shipment['pickupAddress'];
type DeliveryAddress = Shipment['deliveryAddress'];

interface Place {
  latitude: number;
  longitude: number;
}

/**
 * Finds the coordinates that a merchant did not send. What cannot be found stays null and waits for the operator; while
 * the geocoder is out of reach this fails, and its job is tried again.
 */
export async function locateShipment(
  db: Database,
  locator: Locator,
  accountId: string,
  shipmentId: string,
): Promise<void> {
  const { pickup, delivery } = await readAddresses(db, accountId, shipmentId);
  if (pickup.location && delivery.coordinates) return;
  const patiently = { failWhenUnavailable: true };
  const from = pickup.location ? null : await locator.locate(pickup, patiently);
  const to = delivery.coordinates ? null : await locator.locate(delivery, patiently);
  const found = { pickup: from && withLocation(pickup, from), delivery: to && { ...delivery, coordinates: to } };
  await writeLocations(db, accountId, shipmentId, found, 'where nobody did meanwhile');
}

async function readAddresses(db: Database, accountId: string, shipmentId: string) {
  const row = await db
    .selectFrom('shipments')
    .select(['pickup_address', 'delivery_address'])
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .executeTakeFirstOrThrow();
  return {
    pickup: row.pickup_address as unknown as PickupAddress,
    delivery: row.delivery_address as unknown as DeliveryAddress,
  };
}

interface Locations {
  pickup: PickupAddress | null;
  delivery: DeliveryAddress | null;
}

/** What is null stays as it is. An address that is still nowhere after this waits for the operator. */
async function writeLocations(
  db: Database,
  accountId: string,
  shipmentId: string,
  { pickup, delivery }: Locations,
  where: 'everywhere' | 'where nobody did meanwhile', // the operator may be faster than the geocoder, and knows better
): Promise<void> {
  const keeps = where !== 'everywhere';
  const from = sql<string>`case when ${keeps} and pickup_address->>'location' is not null then pickup_address
    else coalesce(${pickup && JSON.stringify(pickup)}::json, pickup_address) end`;
  const to = sql<string>`case when ${keeps} and delivery_address->>'coordinates' is not null then delivery_address
    else coalesce(${delivery && JSON.stringify(delivery)}::json, delivery_address) end`;
  await db
    .updateTable('shipments')
    .set({
      pickup_address: from,
      delivery_address: to,
      needs_location: sql<boolean>`${from}->>'location' is null or ${to}->>'coordinates' is null`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', shipmentId)
    .execute();
}

function withLocation(pickup: PickupAddress, { longitude, latitude }: Place): PickupAddress {
  return { ...pickup, location: { type: 'Point', coordinates: [longitude, latitude] } };
}

/** The operator says where an address is, in place of the geocoder. */
export async function setLocation(
  db: Database,
  accountId: string,
  shipmentId: string,
  places: { pickup: Place | null; delivery: Place | null },
): Promise<void> {
  const { pickup, delivery } = await readAddresses(db, accountId, shipmentId);
  const given = {
    pickup: places.pickup && withLocation(pickup, places.pickup),
    delivery: places.delivery && { ...delivery, coordinates: places.delivery },
  };
  await writeLocations(db, accountId, shipmentId, given, 'everywhere');
}
