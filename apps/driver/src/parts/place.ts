import type { DriverShipment } from '@navette/contract';
import type { Place } from '@navette/contract/driver-stop-order';

export interface DescribedPlace {
  /** The recipient, or the contact of a collection. */
  name: string | null;
  phoneNumber: string | null;
  street: string | null;
  /** Postal code and town. */
  town: string;
  at: Place | null;
  /** In one line, for a navigation app. */
  address: string;
}

/** One end of a run, as the driver needs it. */
export function describePlace(shipment: DriverShipment, kind: 'pickup' | 'delivery'): DescribedPlace {
  const { pickup, delivery, collectionContact } = shipment;
  const { street, postalCode, city, country, coordinates } = kind === 'pickup' ? pickup : delivery;
  const name = kind === 'pickup' ? (collectionContact?.name ?? null) : delivery.recipientName;
  const phoneNumber = kind === 'pickup' ? (collectionContact?.phoneNumber ?? null) : delivery.phoneNumber;
  const town = `${postalCode} ${city}`;
  return {
    name,
    phoneNumber,
    street,
    town,
    at: coordinates,
    address: [street, town, country].filter(Boolean).join(', '),
  };
}
