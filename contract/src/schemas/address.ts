import Type, { type Static } from 'typebox';
import { ERASED } from '../erased.ts';
import { Closed, Email, Nullable, Text } from '../schema-kit.ts';

const ERASURE = `About thirteen months after the shipment has ended, personal data is erased: town, postal code and country stay, other texts become \`${ERASED}\`.`;

/** Both or neither; 0,0 means "unknown", and the address is geocoded instead. */
export const Coordinates = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, examples: [48.8606] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, examples: [2.3376] }),
  },
  { description: 'Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded.' },
);
export type Coordinates = Static<typeof Coordinates>;

const place = {
  street: Text({ examples: ['12 rue de Rivoli'] }),
  city: Text({ examples: ['Paris'] }),
  postalCode: Text({ maxLength: 20, examples: ['75001'] }),
  country: Type.Optional(Text({ maxLength: 100, default: 'France' })),
  coordinates: Type.Optional(Coordinates),
};

export const PickupAddressInput = Type.Object(place, {
  title: 'PickupAddressInput',
  description: 'Where a driver picks the parcel up.',
});
export type PickupAddressInput = Static<typeof PickupAddressInput>;

export const DeliveryAddressInput = Type.Object(
  {
    recipientName: Text({ examples: ['Zoé Martin'] }),
    ...place,
    phoneNumber: Text({
      maxLength: 50,
      description: 'International format without spaces is recommended; the format is not validated.',
      examples: ['+33612345678'],
    }),
    email: Email({
      description: 'The recipient receives a tracking link at this address. Never sent to webhooks.',
      examples: ['zoe@example.org'],
    }),
  },
  { title: 'DeliveryAddressInput' },
);
export type DeliveryAddressInput = Static<typeof DeliveryAddressInput>;

const Point = Closed(
  {
    type: Type.Unsafe<'Point'>({ type: 'string', const: 'Point' }),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  },
  { title: 'Point', description: 'GeoJSON: longitude first, then latitude.' },
);

export const PickupAddress = Closed(
  {
    location: Nullable(Point),
    street: Type.String(),
    city: Type.String(),
    postalCode: Type.String(),
    country: Type.String(),
    formattedAddress: Type.Optional(Type.String()),
    placeId: Type.Optional(Type.String()),
  },
  {
    title: 'PickupAddress',
    description: `\`location\` is null until the address is geocoded. ${ERASURE}`,
  },
);
export type PickupAddress = Static<typeof PickupAddress>;

const AnswerCoordinates = Closed({ latitude: Type.Number(), longitude: Type.Number() });

export const DeliveryAddress = Closed(
  {
    recipientName: Type.String(),
    street: Type.String(),
    city: Type.String(),
    postalCode: Type.String(),
    country: Type.String(),
    phoneNumber: Type.String(),
    email: Type.String(),
    coordinates: Nullable(AnswerCoordinates),
  },
  { title: 'DeliveryAddress', description: ERASURE },
);
