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
    failingSince: Nullable(
      Instant({ description: 'When deliveries started to be dropped; null when the last one was delivered.' }),
    ),
    pausedAt: Nullable(
      Instant({ description: 'When the service paused it; null when it is not paused by the service.' }),
    ),
    pauseReason: Nullable(
      OneOf(['failing'], { description: '`failing`: no event could be delivered for three days.' }),
    ),
    latest: Type.Array(Closed({ status: OneOf(DELIVERY_STATUSES), at: Instant() }), {
      description: 'The latest deliveries, newest first, at most 20.',
    }),
    createdAt: Instant(),
    updatedAt: Instant(),
  },
  { title: 'DashboardWebhook' },
);
export type DashboardWebhook = Static<typeof DashboardWebhook>;

/** The request of an attempt. */
const SentRequest = Closed(
  {
    url: Type.String({ description: 'The current URL of the webhook.' }),
    headers: Type.Array(Closed({ name: Type.String(), value: Type.String() })),
    body: Type.String({ description: 'The signed bytes.' }),
  },
  { title: 'SentRequest' },
);
export type SentRequest = Static<typeof SentRequest>;

const outcome = {
  status: Nullable(Type.Integer({ description: 'Status of the response; null when there was none.' })),
  error: Nullable(Type.String({ description: 'Why there was no response, as a code.' })),
  answer: Nullable(Type.String({ description: 'The beginning of a response other than 2xx.' })),
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
      description: 'As sent, with the signature of this attempt; null when the worker crashed before it recorded them.',
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
  'WEBHOOK_URL_FORBIDDEN_PORT',
  'WEBHOOK_URL_NOT_PUBLIC',
  'WEBHOOK_URL_TAKEN',
] as const;

export const webhookEndpoints = defineEndpoints({
  listWebhooks: {
    ...write,
    summary: 'List the account’s webhooks with their health',
    answers: {
      200: Closed({ success: Success, webhooks: Type.Array(DashboardWebhook), most: Type.Integer() }),
    },
  },
  createWebhook: {
    ...write,
    summary: 'Create a webhook',
    body: WebhookRequest,
    answers: { 201: WebhookAnswer },
    refusals: [...addressRefusals, 'TOO_MANY_WEBHOOKS'],
  },
  readWebhook: {
    ...write,
    summary: 'Read one webhook',
    params: WebhookParams,
    answers: { 200: WebhookAnswer },
    findsOne: true,
  },
  readWebhookSecret: {
    ...write,
    summary: 'Read the secret that signs the webhook’s requests',
    params: WebhookParams,
    answers: { 200: Closed({ success: Success, secret: Type.String() }) },
    findsOne: true,
  },
  updateWebhook: {
    ...write,
    summary: 'Change or pause a webhook',
    description: 'Absent fields stay unchanged. Pausing cancels pending deliveries.',
    params: WebhookParams,
    body: WebhookChange,
    answers: { 200: WebhookAnswer },
    refusals: addressRefusals,
    findsOne: true,
  },
  deleteWebhook: {
    ...write,
    summary: 'Delete a webhook',
    params: WebhookParams,
    answers: { 200: DoneAnswer },
    findsOne: true,
  },
  testWebhook: {
    ...write,
    summary: 'Send one signed test event and return the endpoint’s response',
    description:
      'An event about a shipment that does not exist: every id is zero, the reference is TEST. It is sent once, even to a paused webhook, and does not count as a delivery or for the webhook’s health.',
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
    summary: 'List the webhook’s deliveries, newest first',
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
    summary: 'Read one delivery: the event and every attempt with its response',
    params: DeliveryParams,
    answers: {
      200: Closed({
        success: Success,
        delivery: DeliverySummary,
        url: Type.String({ description: 'The current URL of the webhook.' }),
        body: Type.String({ description: 'The bytes of the event, the same in every attempt.' }),
        attempts: Type.Array(DeliveryAttempt),
      }),
    },
    findsOne: true,
  },
});
