import Type, { type Static } from 'typebox';
import { ExpectedArrival } from '../arrival.ts';
import { Closed, Euros, File, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { Reason } from './reason.ts';
import { Outcome, ShipmentParams, Version } from './shipments.ts';
import { SHIPMENT_ACTS, STORY_KINDS } from './story-kinds.ts';

const Address = Closed({
  street: Type.String(),
  postalCode: Type.String(),
  city: Type.String(),
  country: Type.String(),
  isLocated: Type.Boolean({ description: 'It has coordinates.' }),
});

const StoryLine = Closed(
  {
    at: Instant(),
    kind: OneOf(STORY_KINDS),
    by: Nullable(Type.String({ description: 'The staff member, or system user and host of the command line.' })),
    driver: Nullable(Closed({ id: Id('The driver.'), name: Type.String() })),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description: 'Values that the app puts into words: the status, the amount, the distance.',
    }),
    looked: Type.Array(
      Closed({
        id: Id('The driver.'),
        name: Type.String(),
        km: Type.Number(),
        obstacle: Nullable(Type.String({ description: 'Why the driver got no offer.' })),
      }),
      { description: 'Of a wave: the drivers considered, nearest first.' },
    ),
  },
  { title: 'StoryLine' },
);
export type StoryLine = Static<typeof StoryLine>;

const ShipmentPage = Closed(
  {
    id: Id('The shipment.'),
    reference: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    version: Version,
    account: Closed({ id: Id('The account.'), name: Type.String() }),
    driver: Nullable(Closed({ id: Id('The driver.'), name: Type.String(), phone: Type.String() })),
    recipient: Nullable(Closed({ name: Type.String(), phone: Type.String(), email: Type.String() })),
    pickup: Nullable(Address),
    delivery: Address,
    notes: Nullable(Type.String()),
    recipientNote: Nullable(Type.String({ description: 'By the recipient, for the driver.' })),
    orderId: Nullable(Type.String()),
    groupReference: Nullable(Type.String()),
    source: Type.String({ description: 'The channel that created it: `api`, `dashboard` or `import`.' }),
    isCollection: Type.Boolean(),
    price: Euros(),
    weight: Type.Number(),
    nature: Type.String(),
    slot: Nullable(Closed({ date: Type.String(), timeSlot: Type.String() })),
    arrival: ExpectedArrival,
    promisedUntil: Instant({ description: 'End of the slot, or of the day.' }),
    createdAt: Instant(),
    isLate: Type.Boolean(),
    isReturned: Type.Boolean(),
    isCodeLocked: Type.Boolean(),
    hasOpenReport: Type.Boolean({ description: 'The recipient reported a problem that nobody has closed.' }),
    incident: Nullable(Type.String({ description: 'Kind of the open incident.' })),
    personalDataErasedAt: Nullable(Instant()),
    possibleActs: Type.Array(OneOf(SHIPMENT_ACTS), { description: 'The state allows them; the role may not.' }),
  },
  { title: 'ShipmentPage' },
);
export type ShipmentPage = Static<typeof ShipmentPage>;

export const shipmentPageEndpoints = defineConsoleEndpoints({
  readShipmentPage: {
    section: 'Shipments',
    summary: 'Read a shipment with everything that happened to it, oldest first',
    description:
      'By id or reference number. Roles without the permission to dispatch get the town, but neither name, street, phone, e-mail, notes, reports nor proof.',
    params: Type.Object({ id: Id('The shipment, or its reference number.') }),
    answers: {
      200: Closed({
        success: Success,
        at: Instant(),
        shipment: ShipmentPage,
        story: Type.Array(StoryLine),
      }),
    },
    needs: 'read',
    findsOne: true,
  },
  readConsoleProof: {
    section: 'Shipments',
    summary: 'Download a photo or signature',
    params: Type.Object({ id: Id('The proof.') }),
    answers: { 200: File('image/*') },
    needs: 'dispatch',
    findsOne: true,
  },
  unassignShipment: {
    section: 'Shipments',
    summary: 'Take a shipment from its driver and search another one',
    params: ShipmentParams,
    body: Type.Object({ reason: Type.Optional(Reason), version: Version }),
    answers: { 200: Outcome },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
  cancelAsOperator: {
    section: 'Shipments',
    summary: 'Cancel a shipment before its pickup; the merchant is refunded and notified',
    params: ShipmentParams,
    body: Type.Object({
      reason: Text({ maxLength: 500, description: 'Kept in the log of acts, and shown to the merchant.' }),
      version: Version,
    }),
    answers: { 200: Outcome },
    refusals: ['CHANGED_MEANWHILE', 'NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
});
