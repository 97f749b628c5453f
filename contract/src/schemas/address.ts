import Type, { type Static } from 'typebox';
import { ERASED } from '../erased.ts';
import { Closed, Email, Nullable, Text } from '../schema-kit.ts';

const ERASURE = `About thirteen months after the shipment has ended, personal data is erased: town, postal code and country stay, other texts become \`${ERASED}\`.`;

/** Both or neither; 0,0 means "unknown", and the address is geocoded instead. */
export const Coordinates = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north.', examples: [48.8606] }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east.', examples: [2.3376] }),
  },
  { description: 'Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded.' },
);
export type Coordinates = Static<typeof Coordinates>;

const place = {
  street: Text({ description: 'Number and street.', examples: ['12 rue de Rivoli'] }),
  city: Text({ description: 'Town.', examples: ['Paris'] }),
  postalCode: Text({ maxLength: 20, description: 'Postal code.', examples: ['75001'] }),
  country: Type.Optional(Text({ maxLength: 100, description: 'Country.', default: 'France' })),
  coordinates: Type.Optional(Coordinates),
};

export const PickupAddressInput = Type.Object(place, {
  title: 'PickupAddressInput',
  description: 'Where a driver picks the parcel up.',
});
export type PickupAddressInput = Static<typeof PickupAddressInput>;

export const DeliveryAddressInput = Type.Object(
  {
    recipientName: Text({ description: 'The recipient.', examples: ['Camille Durand'] }),
    ...place,
    phoneNumber: Text({
      maxLength: 50,
      description: 'International format without spaces is recommended; the format is not validated.',
      examples: ['+33612345678'],
    }),
    email: Email({
      description: 'The recipient receives a tracking link at this address. Never sent to webhooks.',
      examples: ['camille@example.org'],
    }),
  },
  { title: 'DeliveryAddressInput', description: 'Where the parcel goes.' },
);
export type DeliveryAddressInput = Static<typeof DeliveryAddressInput>;

const Point = Closed(
  {
    type: Type.Unsafe<'Point'>({ type: 'string', const: 'Point', description: 'Always `Point`.' }),
    coordinates: Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'Longitude, then latitude.',
      examples: [[2.3417, 48.8592]],
    }),
  },
  { title: 'Point', description: 'GeoJSON: longitude first, then latitude.' },
);

/** An address as it is returned. */
export const answeredPlace = {
  street: Type.String({ description: 'Number and street.', examples: ['12 rue de Rivoli'] }),
  city: Type.String({ description: 'Town.', examples: ['Paris'] }),
  postalCode: Type.String({ description: 'Postal code.', examples: ['75001'] }),
  country: Type.String({ description: 'Country.', examples: ['France'] }),
};

export const PickupAddress = Closed(
  {
    location: Nullable(Point),
    ...answeredPlace,
    formattedAddress: Type.Optional(
      Type.String({
        description: 'The address in one line, where it was set in the dashboard.',
        examples: ['12 rue de Rivoli, 75001 Paris'],
      }),
    ),
    placeId: Type.Optional(Type.String({ description: 'Id of the place at the geocoder, where there is one.' })),
  },
  {
    title: 'PickupAddress',
    description: `\`location\` is null until the address is geocoded. ${ERASURE}`,
  },
);
export type PickupAddress = Static<typeof PickupAddress>;

const AnswerCoordinates = Closed(
  {
    latitude: Type.Number({ description: 'Degrees north.', examples: [48.8606] }),
    longitude: Type.Number({ description: 'Degrees east.', examples: [2.3376] }),
  },
  { description: 'Null until the address is geocoded.' },
);

export const DeliveryAddress = Closed(
  {
    recipientName: Type.String({ description: 'The recipient.', examples: ['Camille Durand'] }),
    ...answeredPlace,
    phoneNumber: Type.String({ description: 'As it was sent.', examples: ['+33612345678'] }),
    email: Type.String({ description: 'Receives the tracking link.', examples: ['camille@example.org'] }),
    coordinates: Nullable(AnswerCoordinates),
  },
  { title: 'DeliveryAddress', description: ERASURE },
);
