import Type, { type Static } from 'typebox';
import { ExpectedArrival } from '../arrival.ts';
import { INCIDENT_KINDS, INCIDENT_RESOLUTIONS } from '../driver/incidents.ts';
import { PROOF_KINDS, SIGNER_RELATIONS } from '../driver/proofs.ts';
import { WEBHOOK_EVENTS } from '../events.ts';
import { MESSAGE_KINDS } from '../message-kinds.ts';
import { RecipientReport } from '../recipient-reports.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { ShipmentDocument } from '../schemas/shipment.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { ErasedAt } from './shipment-list.ts';
import { PriceStep } from './shipment-quote.ts';

const TimelineStep = Closed(
  {
    status: OneOf(SHIPMENT_STATUSES),
    at: Instant({ description: 'When the service learned of it.' }),
    doneAt: Nullable(
      Instant({ description: 'When the driver did it, if the phone sent it later: it had no network. Else null.' }),
    ),
    reason: Nullable(Type.String({ description: 'Why it was cancelled.' })),
    by: Nullable(Type.String({ description: 'The member who cancelled it.' })),
  },
  { title: 'TimelineStep' },
);
const ShipmentWebhookDelivery = Closed(
  {
    event: OneOf(WEBHOOK_EVENTS),
    eventId: Id('Event id'),
    webhookId: Id('Webhook id'),
    webhookUrl: Nullable(Type.String({ description: 'Null when the webhook has been deleted since.' })),
    status: OneOf(['pending', 'delivered', 'dropped', 'cancelled']),
    attempts: Type.Integer(),
    createdAt: Instant(),
    settledAt: Nullable(Instant()),
  },
  { title: 'ShipmentWebhookDelivery' },
);
const ShipmentMessage = Closed(
  {
    kind: OneOf(MESSAGE_KINDS),
    channel: OneOf(['sms', 'email']),
    to: Nullable(Type.String({ description: 'Masked; null once erased.' })),
    status: OneOf(['pending', 'sending', 'sent', 'failed', 'dropped', 'recorded'], {
      description: '`recorded`: a message of test mode, which is not sent.',
    }),
    createdAt: Instant(),
    sentAt: Nullable(Instant({ description: 'The latest time, if it was sent again.' })),
    resends: Type.Integer({ description: 'How often people sent it again.' }),
    mayResend: Type.Boolean({ description: 'It may be sent again now.' }),
    text: Nullable(Type.String({ description: 'In test mode only: a live one contains the recipient’s link.' })),
  },
  { title: 'ShipmentMessage' },
);

const ShipmentIncident = Closed(
  {
    id: Id('Incident id'),
    kind: OneOf(INCIDENT_KINDS),
    note: Nullable(Type.String({ description: 'By the driver; null once erased.' })),
    happenedAt: Instant(),
    receivedAt: Instant(),
    resolvedAt: Nullable(Instant()),
    resolution: Nullable(OneOf(INCIDENT_RESOLUTIONS)),
    leftWith: Nullable(Type.String({ description: 'The person who took the parcel.' })),
  },
  { title: 'ShipmentIncident' },
);
export type ShipmentIncident = Static<typeof ShipmentIncident>;

const ShipmentProof = Closed(
  {
    id: Id('Proof id'),
    kind: OneOf(PROOF_KINDS),
    signerName: Nullable(Type.String()),
    signerRelation: Nullable(OneOf(SIGNER_RELATIONS)),
    takenAt: Instant(),
    receivedAt: Instant(),
    sha256: Type.String({ description: 'Of the file, in hex.' }),
  },
  { title: 'ShipmentProof' },
);
export type ShipmentProof = Static<typeof ShipmentProof>;

export const DetailAnswer = Closed({
  success: Success,
  shipment: ShipmentDocument,
  timeline: Type.Array(TimelineStep, { description: 'Oldest first.' }),
  deliveries: Type.Array(ShipmentWebhookDelivery, { description: 'Webhook deliveries about it, oldest first.' }),
  messages: Type.Array(ShipmentMessage, { description: 'SMS and e-mails about it, oldest first.' }),
  incidents: Type.Array(ShipmentIncident, { description: 'Why it could not be handed over, oldest first.' }),
  proofs: Type.Array(ShipmentProof, { description: 'Photos and signatures, oldest first.' }),
  recipientNote: Nullable(
    Type.String({
      description: 'By the recipient, for the driver: perhaps a door code. Null for roles that do not ship parcels.',
    }),
  ),
  reports: Type.Array(RecipientReport, { description: 'Problems that the recipient reported, oldest first.' }),
  priceSteps: Type.Union([Type.Array(PriceStep), Type.Null()], {
    description: 'The steps of its price; null when prices have changed since and no longer explain it.',
  }),
  arrival: ExpectedArrival,
  shareUrl: Nullable(
    Type.String({
      description:
        'Tracking page to look at and to pass on: without delivery code and street, and nothing can be changed there. Null once links have expired.',
    }),
  ),
  operatorPhone: Nullable(
    Type.String({ description: 'Number that reaches the driver through the operator; null where none is set.' }),
  ),
  recurringId: Nullable(Id('The schedule that created it; null for all others.')),
  mayCancel: Type.Boolean(),
  personalDataErasedAt: ErasedAt,
  labelUrl: Type.String(),
});
export type ShipmentDetail = Omit<Static<typeof DetailAnswer>, 'success' | 'shipment'>;
