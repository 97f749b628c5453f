import Type, { type Static } from 'typebox';
import { WEBHOOK_EVENTS } from '../events.ts';
import { MOST_RESENT_EVENTS, RESENDABLE_DAYS, SECRET_OVERLAP_HOURS } from '../limits.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { DoneAnswer, WebhookChange, WebhookParams, WebhookRequest } from '../schemas/webhook.ts';
import { TEST_FAULTS, type TestFault } from '../test-mode.ts';
import { defineEndpoints } from './endpoint.ts';

const FAULTS = Object.keys(TEST_FAULTS) as TestFault[];
const DELIVERY_STATUSES = ['pending', 'delivered', 'dropped', 'cancelled'] as const;

const WebhookHealth = Closed(
  {
    lastDeliveredAt: Nullable(Instant({ description: 'When an event was delivered last, in the last 30 days.' })),
    deliveredShare: Nullable(
      Type.Number({
        description: 'Delivered share of the events settled in the last 24 hours; null when there were none.',
      }),
    ),
    p95Ms: Nullable(
      Type.Integer({ description: '95 % of the responses of the last 24 hours took less than this, in milliseconds.' }),
    ),
    pending: Type.Integer({ description: 'Events that wait to be sent, counted up to 1,000.' }),
    oldestPendingAt: Nullable(Instant({ description: 'Since when the oldest of them has waited.' })),
  },
  { title: 'WebhookHealth' },
);
export type WebhookHealth = Static<typeof WebhookHealth>;

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
    fault: Nullable(
      OneOf(FAULTS, { description: 'The fault with which it sends events, in test mode; null when there is none.' }),
    ),
    latest: Type.Array(Closed({ status: OneOf(DELIVERY_STATUSES), at: Instant() }), {
      description: 'The latest deliveries, newest first, at most 20.',
    }),
    health: WebhookHealth,
    nextSecretAt: Nullable(
      Instant({ description: 'When the new secret takes effect; null when the secret is not being rotated.' }),
    ),
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
    attempts: Type.Integer({ description: 'Attempts of this delivery, at most three.' }),
    resends: Type.Integer({ description: 'How often the event was sent again; 0 for its first delivery.' }),
    createdAt: Instant({ description: 'When the event was queued, or queued again.' }),
    settledAt: Nullable(Instant()),
  },
  { title: 'WebhookDelivery' },
);
export type DeliverySummary = Static<typeof DeliverySummary>;

const DeliveryAttempt = Closed(
  {
    resend: Type.Integer({ description: '0: first delivery of the event; 1: sent again for the first time.' }),
    attempt: Type.Integer(),
    at: Instant(),
    ...outcome,
    headers: Type.Unsafe<{ name: string; value: string }[] | null>({
      description:
        'As sent, with the signature of this attempt; null when the worker crashed before it recorded them, or the secret was replaced more than once since.',
      type: ['array', 'null'],
      items: Closed({ name: Type.String(), value: Type.String() }),
    }),
  },
  { title: 'WebhookAttempt' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

const WebhookResend = Closed(
  {
    id: Id('Id of the request'),
    eventId: Nullable(Id('Event id; null for a period')),
    scope: OneOf(['lost', 'all'], { description: '`lost`: events that were not delivered.' }),
    since: Instant({ description: 'Events from this instant on.' }),
    until: Instant({ description: 'Events before this instant.' }),
    state: OneOf(['running', 'done', 'cancelled'], { description: '`cancelled`: stopped, or the webhook was paused.' }),
    handledUntil: Instant({
      description:
        'Progress: events before this instant are handled. Before `until` in a request that is done: its limit was reached.',
    }),
    sent: Type.Integer({ description: 'Events sent again.' }),
    inProgress: Type.Integer({ description: 'Events left out because they were being sent anyway.' }),
    unavailable: Type.Integer({ description: 'Events that cannot be sent any more: their personal data was erased.' }),
    createdAt: Instant(),
    finishedAt: Nullable(Instant()),
  },
  { title: 'WebhookResend' },
);
export type WebhookResend = Static<typeof WebhookResend>;

export const ResendPeriod = Type.Object({
  since: Instant({ description: `Events from this instant on, at most ${RESENDABLE_DAYS} days ago.` }),
  until: Instant({ description: 'Events before this instant.' }),
  scope: OneOf(['lost', 'all'], {
    description: '`lost`: only events that were dropped, cancelled, or not sent because the webhook was paused.',
  }),
});
export type ResendRequest = { eventId: string } | Static<typeof ResendPeriod>;

export const ResendAnswer = Closed({ success: Success, resend: WebhookResend });
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
    answers: {
      200: Closed({
        success: Success,
        secret: Type.String({ description: 'Signs the requests now.' }),
        nextSecret: Nullable(Type.String({ description: 'Signs from `nextSecretAt` on.' })),
        nextSecretAt: Nullable(Instant()),
      }),
    },
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
  setWebhookFault: {
    ...write,
    summary: 'Let a webhook of the test account send events with a fault',
    description: 'Applies to every event from now on, until another fault or null is set. 404 in live mode.',
    params: WebhookParams,
    body: Type.Object({
      fault: Nullable(OneOf(FAULTS, { description: 'The fault; null for none.', examples: ['twice'] })),
    }),
    answers: { 200: WebhookAnswer },
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
  resendWebhookEvent: {
    ...write,
    summary: 'Send one event to the webhook again',
    description: 'A new delivery with the same body and up to three attempts, in the background.',
    params: DeliveryParams,
    answers: { 202: ResendAnswer },
    refusals: ['WEBHOOK_IS_PAUSED', 'EVENT_NOT_RESENDABLE', 'DELIVERY_PENDING'],
    findsOne: true,
  },
  resendWebhookPeriod: {
    ...write,
    summary: 'Send the events of a period to the webhook again',
    description: `In the background, oldest first, at most ${MOST_RESENT_EVENTS} events per request.`,
    params: WebhookParams,
    body: ResendPeriod,
    answers: { 202: ResendAnswer },
    refusals: ['WEBHOOK_IS_PAUSED', 'RESEND_RUNNING', 'RESEND_PERIOD_INVALID'],
    findsOne: true,
  },
  listWebhookResends: {
    ...write,
    summary: 'List the latest requests to send events again, newest first',
    params: WebhookParams,
    answers: { 200: Closed({ success: Success, resends: Type.Array(WebhookResend) }) },
    findsOne: true,
  },
  cancelWebhookResend: {
    ...write,
    summary: 'Stop sending the events of a period again',
    description: 'Events that are queued already are still sent. Has no effect on a request that has ended.',
    params: Type.Object({ id: Type.String(), resendId: Type.String() }),
    answers: { 200: ResendAnswer },
    findsOne: true,
  },
  rotateWebhookSecret: {
    ...write,
    summary: 'Create a new secret for the webhook',
    description: `It signs after ${SECRET_OVERLAP_HOURS} hours, or earlier by switching to it. Until then the old one signs, and the endpoint should accept both.`,
    params: WebhookParams,
    answers: { 201: Closed({ success: Success, nextSecret: Type.String(), nextSecretAt: Instant() }) },
    refusals: ['ROTATION_RUNNING'],
    findsOne: true,
  },
  switchWebhookSecret: {
    ...write,
    summary: 'Sign with the new secret from now on',
    params: WebhookParams,
    answers: { 200: WebhookAnswer },
    refusals: ['NO_ROTATION'],
    findsOne: true,
  },
  cancelWebhookRotation: {
    ...write,
    summary: 'Discard the new secret before it takes effect',
    params: WebhookParams,
    answers: { 200: WebhookAnswer },
    refusals: ['NO_ROTATION'],
    findsOne: true,
  },
});
