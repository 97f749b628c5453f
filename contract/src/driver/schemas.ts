import Type, { type Static } from 'typebox';
import { MAX_DRIVER_LATITUDE } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';

export const SessionRequest = Type.Object({
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
});

const Driver = Closed(
  {
    id: Id('Driver id'),
    firstName: Type.String(),
    lastName: Type.String(),
    phoneNumber: Type.String(),
    email: Nullable(Type.String()),
    available: Type.Boolean({ description: 'Whether new runs are offered.' }),
    autoAccept: Type.Boolean({ description: 'Runs are assigned without being offered first.' }),
  },
  { title: 'Driver' },
);
export type Driver = Static<typeof Driver>;

export const NewSessionAnswer = Closed({
  success: Success,
  token: Type.String({ description: 'Shown once. Send it as `Authorization: Bearer <token>`.' }),
  driver: Driver,
});
export const SessionAnswer = Closed({ success: Success, driver: Driver });

export const AvailabilityRequest = Type.Object({ available: Type.Boolean() });

export const PositionRequest = Type.Object({
  latitude: Type.Number({ minimum: -MAX_DRIVER_LATITUDE, maximum: MAX_DRIVER_LATITUDE, examples: [48.8606] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, examples: [2.3376] }),
});
export type PositionRequest = Static<typeof PositionRequest>;

export const PositionAnswer = Closed({
  success: Success,
  kept: Type.Boolean({ description: 'False when the position before it is less than a second old.' }),
});

const Point = Closed({ latitude: Type.Number(), longitude: Type.Number() });

const stop = { street: Type.String(), city: Type.String(), postalCode: Type.String(), country: Type.String() };

const DriverShipment = Closed(
  {
    id: Id('Shipment id'),
    referenceNumber: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    isCollection: Type.Boolean({ description: 'Picked up at a customer’s by scanning a QR code.' }),
    pickup: Closed({ ...stop, coordinates: Nullable(Point) }),
    delivery: Closed({
      ...stop,
      coordinates: Nullable(Point),
      recipientName: Type.String(),
      phoneNumber: Type.String(),
    }),
    collectionContact: Nullable(
      Closed(
        { name: Nullable(Type.String()), phoneNumber: Type.String() },
        { description: 'Who hands the parcel over; only for a collection.' },
      ),
    ),
    parcel: Closed({ weight: Type.Number({ description: 'kg' }), nature: Type.String() }),
    notes: Nullable(Type.String()),
    slot: Closed({
      date: Nullable(Type.String({ format: 'date' })),
      timeSlot: Nullable(Type.String()),
      startsAt: Nullable(Instant()),
    }),
    assignedAt: Nullable(Instant({ description: 'When this driver got it; null while it is only offered.' })),
    pickedUpAt: Nullable(Instant()),
    departedAt: Nullable(Instant()),
    deliveredAt: Nullable(Instant()),
  },
  {
    title: 'DriverShipment',
    description: 'What a driver needs, and nothing else: no price, e-mail, delivery code or merchant’s data.',
  },
);
export type DriverShipment = Static<typeof DriverShipment>;

const Offer = Closed(
  {
    expiresAt: Instant(),
    distanceKm: Type.Number({ description: 'From the driver to the pickup, as the crow flies.' }),
    shipping: DriverShipment,
  },
  { title: 'Offer' },
);
export type Offer = Static<typeof Offer>;

export const OffersAnswer = Closed({ success: Success, offers: Type.Array(Offer) });
export const ShipmentAnswer = Closed({ success: Success, shipping: DriverShipment });
export const ShipmentsAnswer = Closed({ success: Success, shippings: Type.Array(DriverShipment) });
export const DoneAnswer = Closed({ success: Success });

export const ShipmentParams = Type.Object({ id: Type.String({ description: 'Shipment id' }) });
export const PickupRequest = Type.Object({
  pickupToken: Type.Optional(
    Type.String({ maxLength: 200, description: 'What the contact’s QR code holds; needed for a collection.' }),
  ),
});
export const DeliverRequest = Type.Object({
  deliveryCode: Type.String({ minLength: 1, maxLength: 20, description: 'The recipient’s; spaces do not matter.' }),
});
export const AbandonRequest = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'For the operator.' })),
});
