import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS } from '../events.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { ShipmentDocument } from '../schemas/shipment.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { PriceStep } from './shipment-quote.ts';

const TimelineStep = Closed(
  {
    status: OneOf(SHIPMENT_STATUSES),
    at: Instant(),
    reason: Nullable(Type.String({ description: 'Why it was cancelled.' })),
    by: Nullable(Type.String({ description: 'The member who cancelled it.' })),
  },
  { title: 'TimelineStep' },
);
const NoticedDelivery = Closed(
  {
    event: OneOf(WEBHOOK_EVENTS),
    eventId: Id('Event id'),
    webhookId: Id('Webhook id'),
    webhookUrl: Nullable(Type.String({ description: 'Null when the webhook was deleted since.' })),
    status: OneOf(['pending', 'delivered', 'dropped', 'cancelled']),
    attempts: Type.Integer(),
    createdAt: Instant(),
    settledAt: Nullable(Instant()),
  },
  { title: 'ShipmentWebhookDelivery' },
);
const ToldMessage = Closed(
  {
    kind: OneOf(['recipient-sms', 'recipient-email', 'collection-sms', 'collection-email']),
    channel: OneOf(['sms', 'email']),
    to: Nullable(Type.String({ description: 'Masked; null once erased.' })),
    status: OneOf(['pending', 'sending', 'sent', 'failed', 'dropped']),
    createdAt: Instant(),
    sentAt: Nullable(Instant()),
  },
  { title: 'ShipmentMessage' },
);

export const DetailAnswer = Closed({
  success: Success,
  shipment: ShipmentDocument,
  timeline: Type.Array(TimelineStep, { description: 'Oldest first.' }),
  deliveries: Type.Array(NoticedDelivery, { description: 'What webhooks were told of it, oldest first.' }),
  messages: Type.Array(ToldMessage, { description: 'What people were told of it, oldest first.' }),
  priceSteps: Type.Union([Type.Array(PriceStep), Type.Null()], {
    description: 'What its price is made of; null where prices changed since and no longer explain it.',
  }),
  mayCancel: Type.Boolean(),
  labelUrl: Type.String(),
});
export type ShipmentDetail = Omit<Static<typeof DetailAnswer>, 'success' | 'shipment'>;
