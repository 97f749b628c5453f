import { type MapPoint, type Shipment, TEST_NAMES } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isTestName } from '../../text/test-name.ts';
import type { Locator } from '../geocoding/index.ts';

type PickupAddress = Shipment['pickupAddress'];
type DeliveryAddress = Shipment['deliveryAddress'];

/**
 * Finds the coordinates that a merchant did not send. An address that is not found stays without coordinates until the
 * operator sets them. While the geocoder is unreachable this throws, and its job is retried.
 */
export async function locateShipment(
  db: Database,
  locator: Locator,
  accountId: string,
  shipmentId: string,
): Promise<void> {
  const addresses = await readAddresses(db, accountId, shipmentId);
  if (!addresses) return; // the test twin was emptied since
  const { pickup, delivery, isTest } = addresses;
  if (pickup.location && delivery.coordinates) return;
  const options = { failWhenUnavailable: true };
  const from = pickup.location ? null : await locator.locate(pickup, options);
  const isUnlocatable = isTest && isTestName(delivery.recipientName, TEST_NAMES.unknownAddress);
  const to = delivery.coordinates || isUnlocatable ? null : await locator.locate(delivery, options);
  const found = { pickup: from && withLocation(pickup, from), delivery: to && { ...delivery, coordinates: to } };
  await writeLocations(db, accountId, shipmentId, found, 'keep existing');
}

async function readAddresses(db: Database | Tx, accountId: string, shipmentId: string) {
  return db
    .selectFrom('shipments as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.pickup_address as pickup', 's.delivery_address as delivery'])
    .select((eb) => eb('a.live_account_id', 'is not', null).$castTo<boolean>().as('isTest'))
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', shipmentId)
    .executeTakeFirst();
}

interface Locations {
  pickup: PickupAddress | null;
  delivery: DeliveryAddress | null;
}

/** Null leaves an address unchanged. `needs_location` lists the shipment for the operator if coordinates are still missing. */
async function writeLocations(
  db: Database | Tx,
  accountId: string,
  shipmentId: string,
  { pickup, delivery }: Locations,
  mode: 'overwrite' | 'keep existing', // the operator may be faster than the geocoder, and takes precedence
): Promise<void> {
  const keepsExisting = mode === 'keep existing';
  const from = sql<string>`case when ${keepsExisting} and pickup_address->>'location' is not null then pickup_address
    else coalesce(${pickup && JSON.stringify(pickup)}::json, pickup_address) end`;
  const to = sql<string>`case when ${keepsExisting} and delivery_address->>'coordinates' is not null then delivery_address
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
    .where('personal_data_erased_at', 'is', null) // a late response of the geocoder must not restore an erased address
    .execute();
}

function withLocation(pickup: PickupAddress, { longitude, latitude }: MapPoint): PickupAddress {
  return { ...pickup, location: { type: 'Point', coordinates: [longitude, latitude] } };
}

/** The operator sets the coordinates of an address. */
export async function setLocation(
  tx: Tx | Database,
  accountId: string,
  shipmentId: string,
  places: { pickup: MapPoint | null; delivery: MapPoint | null },
): Promise<void> {
  const addresses = await readAddresses(tx, accountId, shipmentId);
  if (!addresses) throw new Error('the caller holds the lock of the shipment');
  const { pickup, delivery } = addresses;
  const given = {
    pickup: places.pickup && withLocation(pickup, places.pickup),
    delivery: places.delivery && { ...delivery, coordinates: places.delivery },
  };
  await writeLocations(tx, accountId, shipmentId, given, 'overwrite');
}
