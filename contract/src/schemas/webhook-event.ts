import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../events.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { answeredPlace } from './address.ts';
import { externalReference, ReferenceNumber } from './shipment.ts';

const AlwaysNull = Type.Null({ description: 'Always null here; `GET /shipping/:id` has it.' });

const WebhookData = Closed(
  {
    id: Id('Shipment id'),
    professionalId: Id('Account id'),
    referenceNumber: ReferenceNumber,
    status: OneOf(SHIPMENT_STATUSES, { description: 'Status at the time of the event.', examples: ['created'] }),
    price: Euros({ description: 'The price that was charged.' }),
    externalReference: Type.Object(externalReference, {
      additionalProperties: true,
      description: 'Your own references, with the additional fields that you sent.',
    }),
    createdAt: Instant({ description: 'When the shipment was created.' }),
    updatedAt: Instant({ description: 'When the shipment last changed.' }),
    pickupAddress: Closed(answeredPlace, { description: 'Where the parcel is picked up.' }),
    deliveryAddress: Closed(
      {
        recipientName: Type.String({ description: 'The recipient.', examples: ['Camille Durand'] }),
        ...answeredPlace,
        phoneNumber: Type.String({ description: 'As it was sent.', examples: ['+33612345678'] }),
      },
      { description: 'Where the parcel goes.' },
    ),
    deliverer: Nullable(
      Closed(
        { id: Id('Driver id'), name: AlwaysNull, phoneNumber: AlwaysNull },
        { description: 'Null when no driver is assigned.' },
      ),
    ),
  },
  { title: 'WebhookEventData', description: 'The shipment at the time of the event.' },
);

/** The body of every webhook request. */
export const WebhookEventBody = Closed(
  {
    event: OneOf(WEBHOOK_EVENTS, { description: 'The change that happened.' }),
    timestamp: Instant({ description: 'When it happened. Events may arrive in any order: sort by this.' }),
    data: WebhookData,
  },
  { title: 'WebhookEventBody', description: 'The body of a webhook request.' },
);
export type WebhookEventBody = Static<typeof WebhookEventBody>;

/** The headers of every webhook request, by name. */
export const WEBHOOK_HEADERS = {
  'X-Service-Event': 'The event, as in the body.',
  'X-Service-Timestamp': 'When this attempt was signed, ISO 8601. It differs between attempts.',
  'X-Service-Signature':
    '`sha256=` and the hexadecimal HMAC-SHA256 of the timestamp, a dot and the raw body, with the webhook’s secret as the key.',
} as const;

/** When each event is sent. */
export const EVENT_MEANINGS: Record<WebhookEvent, string> = {
  'shipping.created':
    'A shipment was created, in any way: this API, a batch, the dashboard, an import. Sent once; `status` is `created` or `programmed`.',
  'shipping.assigned': 'A driver was assigned. Not sent when the driver used the app’s real-time channel.',
  'shipping.picked_up': 'A driver picked the parcel up. Not sent when the driver used the app’s real-time channel.',
  'shipping.delivered': 'The parcel was delivered. Not sent when the driver used the app’s real-time channel.',
  'shipping.cancelled': 'You cancelled the shipment, by this API or in the dashboard.',
};
