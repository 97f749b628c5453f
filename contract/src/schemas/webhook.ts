import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS } from '../events.ts';
import { Closed, Id, Instant, OneOf, Success } from '../schema-kit.ts';

const Url = Type.String({
  format: 'uri',
  maxLength: 2_000,
  description: 'The public address that receives the requests.',
  examples: ['https://shop.example.org/navette'],
});
const Events = Type.Array(OneOf(WEBHOOK_EVENTS), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  description: 'The events to send.',
  examples: [['shipping.created', 'shipping.delivered']],
});
const isActive = 'False pauses the webhook.';

export const WebhookRequest = Type.Object({
  url: Url,
  events: Events,
  secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Generated when absent.', examples: ['navette_whsec_…'] }),
  ),
  isActive: Type.Optional(Type.Boolean({ default: true, description: isActive })),
});
export type WebhookRequest = Static<typeof WebhookRequest>;

export const WebhookChange = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  isActive: Type.Optional(Type.Boolean({ description: isActive, examples: [true] })),
});
export type WebhookChange = Static<typeof WebhookChange>;

const Webhook = Closed(
  {
    _id: Id('Webhook id'),
    url: Type.String({ description: 'The address.', examples: ['https://shop.example.org/navette'] }),
    events: Type.Array(OneOf(WEBHOOK_EVENTS), { description: 'The events that are sent.' }),
    secret: Type.String({ description: 'Signs every request.', examples: ['navette_whsec_…'] }),
    isActive: Type.Boolean({
      description: 'False: paused, by you or after three days with failures only.',
      examples: [true],
    }),
    createdAt: Instant({ description: 'When the webhook was created.' }),
    updatedAt: Instant({ description: 'When the webhook last changed.' }),
  },
  { title: 'Webhook', description: 'A subscription to events.' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookParams = Type.Object({ id: Id('`_id` of the webhook.') });
export const WebhookAnswer = Closed({ success: Success, webhook: Webhook });
export const WebhooksAnswer = Closed({
  success: Success,
  webhooks: Type.Array(Webhook, { description: 'All webhooks of the account.' }),
});
export const DoneAnswer = Closed({ success: Success });
