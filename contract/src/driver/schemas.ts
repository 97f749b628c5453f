import Type, { type Static } from 'typebox';
import { MAX_DRIVER_LATITUDE } from '../limits.ts';
import { Closed, Email, Euros, File, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { INCIDENT_KINDS, INCIDENT_RESOLUTIONS, REPORTABLE_INCIDENT_KINDS } from './incidents.ts';
import { MAX_PROOF_BASE64_CHARACTERS, PROOF_KINDS, SIGNER_RELATIONS } from './proofs.ts';

/**
 * Fields of every command that changes something. A phone that was offline sends the command when it has network again,
 * as often as it takes to get a response.
 */
const command = {
  commandId: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 64,
      pattern: '^[A-Za-z0-9-]+$',
      description:
        'Made by the phone. A command is applied once per driver and id; a repetition returns the same result.',
    }),
  ),
  doneAt: Type.Optional(
    Instant({
      description:
        'When the driver did it. Used for the times of pickup and delivery if it is plausible: not in the future, not before the previous step, at most 24 hours old. Otherwise the time of arrival is used.',
    }),
  ),
};
export const CommandRequest = Type.Object(command);

export const SessionRequest = Type.Object({
  email: Email(),
  password: Type.String({ minLength: 1, maxLength: 200 }),
  previousToken: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The previous token of this device, if any. Its session ends with this sign-in. While wrong passwords from elsewhere lock the driver’s e-mail address, a recently signed-in device can still sign in.',
    }),
  ),
});

const Driver = Closed(
  {
    id: Id('Driver id'),
    firstName: Type.String(),
    lastName: Type.String(),
    phoneNumber: Type.String(),
    email: Nullable(Type.String()),
    available: Type.Boolean({ description: 'Whether new runs are offered.' }),
    autoAccept: Type.Boolean({ description: 'Runs are assigned without an offer.' }),
  },
  { title: 'Driver' },
);
export type Driver = Static<typeof Driver>;

export const NewSessionAnswer = Closed({
  success: Success,
  token: Type.String({ description: 'Shown once. Send it as `Authorization: Bearer <token>`.' }),
  driver: Driver,
});
export const SessionAnswer = Closed({
  success: Success,
  driver: Driver,
  deliveryKeys: Type.Array(Type.String(), {
    description:
      'Ed25519 public keys (base64url, 32 bytes) that verify the QR code of the recipient’s page without network, newest first.',
  }),
  operatorPhone: Nullable(
    Type.String({ description: 'The number that drivers call for help; null when none is set.' }),
  ),
  paid: Type.Boolean({ description: 'Drivers are paid by run: offers have a `pay`, and `readEarnings` has entries.' }),
  pushKey: Nullable(
    Type.String({ description: 'For `pushManager.subscribe`; null when the service sends no push messages.' }),
  ),
});

const DriverSession = Closed(
  {
    id: Id('Session id; not a credential'),
    device: Nullable(Type.String({ description: 'For example `Android`; null when unknown.' })),
    createdAt: Instant(),
    lastUsedAt: Instant({ description: 'Accurate to ten minutes.' }),
    expiresAt: Instant({
      description: 'When it ends if it is not used again; 180 days after `createdAt` at the latest.',
    }),
    current: Type.Boolean({ description: 'The session of this request.' }),
  },
  { title: 'DriverSession' },
);
export type DriverSession = Static<typeof DriverSession>;

export const SessionsAnswer = Closed({ success: Success, sessions: Type.Array(DriverSession) });
export const SessionParams = Type.Object({ id: Type.String({ description: 'Session id' }) });

export const AvailabilityRequest = Type.Object({ available: Type.Boolean(), ...command });

export const PositionRequest = Type.Object({
  latitude: Type.Number({ minimum: -MAX_DRIVER_LATITUDE, maximum: MAX_DRIVER_LATITUDE, examples: [48.8606] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, examples: [2.3376] }),
});
export type PositionRequest = Static<typeof PositionRequest>;

/** Where the phone was. The operator sees how far from the address a step was done. */
const place = { place: Type.Optional(PositionRequest) };

export const PositionAnswer = Closed({
  success: Success,
  kept: Type.Boolean({ description: 'False when the previous position is less than a second old.' }),
});

const Point = (options: { description: string }) =>
  Closed({ latitude: Type.Number(), longitude: Type.Number() }, options);

const WITHHELD = 'Null in an offer, and 48 hours after the end of a run.';
const withheld = { description: WITHHELD };
const ofCollection = { description: `Of a collection: ${WITHHELD.toLowerCase()}` };
const town = { city: Type.String(), postalCode: Type.String(), country: Type.String() };

const Incident = Closed(
  {
    id: Id('Incident id'),
    kind: OneOf(INCIDENT_KINDS),
    note: Nullable(Type.String(withheld)),
    reportedAt: Instant(),
    resolvedAt: Nullable(Instant()),
    resolution: Nullable(OneOf(INCIDENT_RESOLUTIONS)),
  },
  { title: 'DriverIncident' },
);

const DriverShipment = Closed(
  {
    id: Id('Shipment id'),
    referenceNumber: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    isCollection: Type.Boolean({ description: 'Picked up from a customer by scanning a QR code.' }),
    pickup: Closed({
      street: Nullable(Type.String(ofCollection)),
      ...town,
      coordinates: Nullable(Point(ofCollection)),
    }),
    delivery: Closed({
      street: Nullable(Type.String(withheld)),
      ...town,
      coordinates: Nullable(Point(withheld)),
      recipientName: Nullable(Type.String(withheld)),
      phoneNumber: Nullable(Type.String(withheld)),
    }),
    collectionContact: Nullable(
      Closed(
        { name: Nullable(Type.String()), phoneNumber: Type.String() },
        { description: `The person who hands the parcel over; only for a collection. ${WITHHELD}` },
      ),
    ),
    parcel: Closed({ weight: Type.Number({ description: 'kg' }), nature: Type.String() }),
    notes: Nullable(Type.String(withheld)),
    slot: Closed({
      date: Nullable(Type.String({ format: 'date' })),
      timeSlot: Nullable(Type.String()),
      startsAt: Nullable(Instant()),
    }),
    assignedAt: Nullable(Instant({ description: 'When it was assigned to this driver; null in an offer.' })),
    pickedUpAt: Nullable(Instant()),
    departedAt: Nullable(Instant()),
    deliveredAt: Nullable(Instant()),
    cancelledAt: Nullable(Instant()),
    incident: Type.Union([Incident, Type.Null()], { description: 'The latest incident, open or resolved.' }),
  },
  {
    title: 'DriverShipment',
    description:
      'Only what a driver needs: no price, e-mail address, delivery code or merchant’s data. Personal data is included only while the run belongs to the driver.',
  },
);
export type DriverShipment = Static<typeof DriverShipment>;

const Offer = Closed(
  {
    expiresAt: Instant(),
    distanceKm: Type.Number({ description: 'From the driver to the pickup in a straight line, rounded to 100 m.' }),
    deliveryDistanceKm: Nullable(
      Type.Number({ description: 'From the pickup to the recipient in a straight line, rounded to 100 m.' }),
    ),
    pay: Nullable(Euros({ description: 'What the driver gets on delivery; null when drivers are not paid by run.' })),
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
    Type.String({ maxLength: 200, description: 'The content of the contact’s QR code; required for a collection.' }),
  ),
  ...place,
  ...command,
});
export const DeliverRequest = Type.Object({
  deliveryCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'The recipient’s code; spaces are ignored.' }),
  ),
  deliveryQr: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The content of the QR code of the recipient’s page.' }),
  ),
  ...place,
  ...command,
});
export const AbandonRequest = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'For the operator.' })),
  ...command,
});

export const IncidentRequest = Type.Object({
  kind: OneOf(REPORTABLE_INCIDENT_KINDS),
  note: Type.Optional(Text({ maxLength: 1_000 })),
  ...place,
  ...command,
});

export const ProofRequest = Type.Object({
  kind: OneOf(PROOF_KINDS),
  content: Type.String({
    minLength: 1,
    maxLength: MAX_PROOF_BASE64_CHARACTERS,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'A JPEG, PNG or WebP image of at most 1 MB, in base64. Metadata such as EXIF is removed.',
  }),
  signerName: Type.Optional(Text({ maxLength: 200, description: 'Who signed.' })),
  signerRelation: Type.Optional(OneOf(SIGNER_RELATIONS)),
  ...command,
});
const Proof = Closed(
  {
    id: Id('Proof id'),
    kind: OneOf(PROOF_KINDS),
    sha256: Type.String({ description: 'Of the stored file, in hex.' }),
    takenAt: Instant(),
  },
  { title: 'DriverProof' },
);
export type DriverProof = Static<typeof Proof>;

export const ProofAnswer = Closed({ success: Success, proof: Proof });
export const ProofParams = Type.Object({ id: Type.String({ description: 'Proof id' }) });
export const ProofFile = File('image/*');

export const HistoryQuery = Type.Object({
  before: Type.Optional(
    Instant({ description: 'Only runs that ended before this time: `nextBefore` of the previous page.' }),
  ),
});
export const HistoryAnswer = Closed({
  success: Success,
  shippings: Type.Array(DriverShipment, { description: 'At most 50, last ended first.' }),
  nextBefore: Nullable(Instant()),
});
