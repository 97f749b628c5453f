import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS } from '../events.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { DoneAnswer, WebhookChange, WebhookParams, WebhookRequest } from '../schemas/webhook.ts';
import { defineEndpoints } from './endpoint.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped', 'cancelled'] as const;

const DashboardWebhook = Closed(
  {
    id: Id('Webhook id'),
    url: Type.String(),
    events: Type.Array(OneOf(WEBHOOK_EVENTS)),
    isActive: Type.Boolean(),
    failingSince: Nullable(Instant({ description: 'Since its last delivery was dropped; null when it arrived.' })),
    latest: Type.Array(Closed({ status: OneOf(DELIVERY_STATUSES), at: Instant() }), {
      description: 'What became of the latest deliveries, newest first, at most 20.',
    }),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { title: 'DashboardWebhook' },
);
export type DashboardWebhook = Static<typeof DashboardWebhook>;

/** What one request carried and what came back. */
const SentRequest = Closed(
  {
    url: Type.String({ description: 'The webhook’s address today.' }),
    headers: Type.Array(Closed({ name: Type.String(), value: Type.String() })),
    body: Type.String({ description: 'The signed bytes.' }),
  },
  { title: 'SentRequest' },
);
export type SentRequest = Static<typeof SentRequest>;

const outcome = {
  status: Nullable(Type.Integer({ description: 'Of the answer; null when there was none.' })),
  error: Nullable(Type.String({ description: 'Why there was none, as a code.' })),
  answer: Nullable(Type.String({ description: 'How an answer other than 2xx began.' })),
  durationMs: Nullable(Type.Integer()),
};

const DeliverySummary = Closed(
  {
    eventId: Id('Event id'),
    event: OneOf(WEBHOOK_EVENTS),
    shipmentId: Id('Shipment id'),
    status: OneOf(DELIVERY_STATUSES),
    attempts: Type.Integer(),
    createdAt: Instant(),
    settledAt: Nullable(Instant()),
  },
  { title: 'WebhookDelivery' },
);
export type DeliverySummary = Static<typeof DeliverySummary>;

const DeliveryAttempt = Closed(
  {
    attempt: Type.Integer(),
    at: Instant(),
    ...outcome,
    headers: Type.Unsafe<{ name: string; value: string }[] | null>({
      description:
        'As sent, with the signature of this attempt; null when its worker died and nobody knows what it signed.',
      type: ['array', 'null'],
      items: Closed({ name: Type.String(), value: Type.String() }),
    }),
  },
  { title: 'WebhookAttempt' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

const WebhookAnswer = Closed({ success: Success, webhook: DashboardWebhook });
const DeliveryParams = Type.Object({ id: Type.String(), eventId: Type.String() });

const write = { section: 'Webhooks', needs: 'develop' } as const;
const addressRefusals = [
  'WEBHOOK_URL_UNREADABLE',
  'WEBHOOK_URL_NOT_HTTP',
  'WEBHOOK_URL_WITH_PASSWORD',
  'WEBHOOK_URL_NOT_PUBLIC',
  'WEBHOOK_URL_TAKEN',
] as const;

export const webhookEndpoints = defineEndpoints({
  listWebhooks: {
    ...write,
    summary: 'The account’s webhooks and how they fare',
    answers: {
      200: Closed({ success: Success, webhooks: Type.Array(DashboardWebhook), most: Type.Integer() }),
    },
  },
  createWebhook: {
    ...write,
    summary: 'Subscribe an address to events',
    body: WebhookRequest,
    answers: { 201: WebhookAnswer },
    refusals: [...addressRefusals, 'TOO_MANY_WEBHOOKS'],
  },
  readWebhook: {
    ...write,
    summary: 'One webhook',
    params: WebhookParams,
    answers: { 200: WebhookAnswer },
    findsOne: true,
  },
  readWebhookSecret: {
    ...write,
    summary: 'The secret that signs what a webhook is sent',
    params: WebhookParams,
    answers: { 200: Closed({ success: Success, secret: Type.String() }) },
    findsOne: true,
  },
  updateWebhook: {
    ...write,
    summary: 'Change or pause a webhook',
    description: 'What is absent stays as it is. Pausing cancels what was waiting to be sent.',
    params: WebhookParams,
    body: WebhookChange,
    answers: { 200: WebhookAnswer },
    refusals: addressRefusals,
    findsOne: true,
  },
  deleteWebhook: {
    ...write,
    summary: 'Remove a webhook',
    params: WebhookParams,
    answers: { 200: DoneAnswer },
    findsOne: true,
  },
  testWebhook: {
    ...write,
    summary: 'Send one signed sample now and show what the endpoint answered',
    description:
      'An event of the contract about a shipment that cannot exist: every id is zero, the reference is TEST. It is sent once, even to a paused webhook, and counts neither as a delivery nor for its health.',
    params: WebhookParams,
    body: Type.Object({ event: Type.Optional(OneOf(WEBHOOK_EVENTS)) }),
    answers: {
      200: Closed({
        success: Success,
        sentAt: Instant(),
        event: OneOf(WEBHOOK_EVENTS),
        request: SentRequest,
        ...outcome,
      }),
    },
    findsOne: true,
  },
  listWebhookDeliveries: {
    ...write,
    summary: 'What a webhook was sent, newest first',
    params: WebhookParams,
    query: Type.Object({
      status: Type.Optional(OneOf(DELIVERY_STATUSES)),
      cursor: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    answers: {
      200: Closed({
        success: Success,
        deliveries: Type.Array(DeliverySummary),
        nextCursor: Nullable(Type.String()),
      }),
    },
    findsOne: true,
  },
  readWebhookDelivery: {
    ...write,
    summary: 'One delivery: the event and every attempt, as sent and as answered',
    params: DeliveryParams,
    answers: {
      200: Closed({
        success: Success,
        delivery: DeliverySummary,
        url: Type.String({ description: 'The webhook’s address today.' }),
        body: Type.String({ description: 'The event’s bytes, the same in every attempt.' }),
        attempts: Type.Array(DeliveryAttempt),
      }),
    },
    findsOne: true,
  },
});
