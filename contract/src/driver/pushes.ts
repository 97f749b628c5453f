import Type, { type TSchema } from 'typebox';
import { Closed, Id, Instant, OneOf } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';

const shipment = { shippingId: Id('Shipment id'), referenceNumber: Type.String() };

/**
 * What the server says by itself over the real-time channel. Hints without a person's data: the app reads what it shows
 * through the commands, which answer by what is true then.
 */
export const DRIVER_PUSHES = {
  offer: Closed({ ...shipment, expiresAt: Instant() }, { description: 'A run is offered: ask `listOffers`.' }),
  'offer-withdrawn': Closed(shipment, { description: 'An offer is over: taken by another, expired or cancelled.' }),
  'shipment-changed': Closed(
    { ...shipment, status: OneOf(SHIPMENT_STATUSES) },
    { description: 'Somebody else changed a shipment of this driver, or gave or took it: read `listShipments`.' },
  ),
} satisfies Record<string, TSchema>;

export type DriverPush = keyof typeof DRIVER_PUSHES;
