import { isDeepStrictEqual } from 'node:util';
import type { PickupAddressInput } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { refuse } from '../../refusals/refusal.ts';
import type { Locator } from '../geocoding/index.ts';
import { knownCoordinates } from '../geocoding/index.ts';
import { type Authorize, recordAct } from '../members/index.ts';
import type { PickupPlace } from './account.ts';

/** Replaces the whole address; the operator's fields (formatted address, place id) stay. */
export async function setPickupAddress(
  db: Database,
  accountId: string,
  input: PickupAddressInput,
  locator: Locator,
  authorize: Authorize,
): Promise<PickupPlace> {
  const place = {
    street: input.street,
    city: input.city,
    postalCode: input.postalCode,
    country: input.country ?? 'France',
  };
  const point =
    knownCoordinates(input.coordinates) ?? (await locator.locate(place)) ?? refuse('PICKUP_ADDRESS_NOT_GEOCODABLE');
  return db.transaction().execute(async (tx) => {
    // First in the lock order: saving the address increases the account's settings version.
    await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
    const actor = await authorize(tx);
    const old = await lockPickupAddress(tx, accountId);
    const saved = await savePickupAddress(tx, accountId, { ...place, ...point });
    const { street, city, postalCode, country, latitude, longitude } = saved;
    if (!isDeepStrictEqual(old, { street, city, postalCode, country, latitude, longitude })) {
      const subject = `${street}, ${postalCode} ${city}`;
      await recordAct(tx, accountId, actor, { act: 'pickup-address-changed', subject }, new Date());
    }
    return saved;
  });
}

const lockPickupAddress = (tx: Tx, accountId: string) =>
  tx
    .selectFrom('pickup_addresses')
    .select(['street', 'city', 'postal_code as postalCode', 'country', 'latitude', 'longitude'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();

type NewPickupPlace = Omit<PickupPlace, 'formattedAddress' | 'placeId'> & {
  formattedAddress?: string;
  placeId?: string;
};

export async function savePickupAddress(db: Database, accountId: string, place: NewPickupPlace): Promise<PickupPlace> {
  const values = {
    street: place.street,
    city: place.city,
    postal_code: place.postalCode,
    country: place.country,
    latitude: place.latitude,
    longitude: place.longitude,
    updated_at: new Date(),
    ...(place.formattedAddress === undefined ? {} : { formatted_address: place.formattedAddress }),
    ...(place.placeId === undefined ? {} : { place_id: place.placeId }),
  };
  const saved = await db
    .insertInto('pickup_addresses')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .returning(['formatted_address as formattedAddress', 'place_id as placeId'])
    .executeTakeFirstOrThrow();
  return { ...place, ...saved };
}
