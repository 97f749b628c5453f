import Type, { type TSchema } from 'typebox';
import { Closed, Id, Instant, OneOf } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';

const shipment = { shippingId: Id('Shipment id'), referenceNumber: Type.String() };

/**
 * Events that the server pushes over the real-time channel. They contain no personal data: the app reads current data
 * with commands.
 */
export const DRIVER_PUSHES = {
  offer: Closed({ ...shipment, expiresAt: Instant() }, { description: 'A run is offered: call `listOffers`.' }),
  'offer-withdrawn': Closed(shipment, {
    description: 'An offer has ended: accepted by another driver, expired or cancelled.',
  }),
  'shipment-changed': Closed(
    { ...shipment, status: OneOf(SHIPMENT_STATUSES) },
    { description: 'A run of this driver was changed, assigned or unassigned by somebody else: call `listShipments`.' },
  ),
} satisfies Record<string, TSchema>;

export type DriverPush = keyof typeof DRIVER_PUSHES;
