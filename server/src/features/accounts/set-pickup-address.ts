import type { PickupAddressInput } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { refuse } from '../../http/refusal.ts';
import type { Locator } from '../geocoding/index.ts';
import { knownCoordinates } from '../geocoding/index.ts';
import type { PickupPlace } from './account.ts';

/** Replaces the address whole; what came from elsewhere (formatted address, place id) stays. */
export async function setPickupAddress(
  db: Database,
  accountId: string,
  input: PickupAddressInput,
  locator: Locator,
): Promise<PickupPlace> {
  const place = {
    street: input.street,
    city: input.city,
    postalCode: input.postalCode,
    country: input.country ?? 'France',
  };
  const point =
    knownCoordinates(input.coordinates) ?? (await locator.locate(place)) ?? refuse('PICKUP_ADDRESS_NOT_GEOCODABLE');
  return savePickupAddress(db, accountId, { ...place, ...point });
}

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
