import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS } from '../events.ts';
import { Closed, Id, Instant, OneOf, Success } from '../schema-kit.ts';

const Url = Type.String({ format: 'uri', maxLength: 2_000, examples: ['https://shop.example.org/navette'] });
const Events = Type.Array(OneOf(WEBHOOK_EVENTS), { minItems: 1, maxItems: WEBHOOK_EVENTS.length });

export const WebhookRequest = Type.Object({
  url: Url,
  events: Events,
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Generated when absent.' })),
  isActive: Type.Optional(Type.Boolean({ default: true })),
});
export type WebhookRequest = Static<typeof WebhookRequest>;

export const WebhookChange = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  isActive: Type.Optional(Type.Boolean()),
});
export type WebhookChange = Static<typeof WebhookChange>;

const Webhook = Closed(
  {
    _id: Id('Webhook id'),
    url: Type.String(),
    events: Type.Array(OneOf(WEBHOOK_EVENTS)),
    secret: Type.String(),
    isActive: Type.Boolean(),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { title: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookParams = Type.Object({ id: Type.String() });
export const WebhookAnswer = Closed({ success: Success, webhook: Webhook });
export const WebhooksAnswer = Closed({ success: Success, webhooks: Type.Array(Webhook) });
export const DoneAnswer = Closed({ success: Success });
