import Type, { type Static } from 'typebox';
import type { Endpoint } from './endpoints.ts';
import { WEBHOOK_EVENTS } from './events.ts';
import { REQUEST_LOG } from './limits.ts';
import { requestFields, STATUS_CLASSES } from './request-log.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from './schema-kit.ts';

/** Bounds of a pull. */
export const EVENT_FEED = {
  defaultEvents: 50,
  mostEvents: 100,
  mostWaitSeconds: 20,
  /** Pulls of one account that wait at the same time, in one process. */
  mostWaiting: 5,
} as const;

const FeedEvent = Closed(
  {
    cursor: Type.String({ description: 'Pass it as `after` once this event is handled.' }),
    id: Id('Event id'),
    event: OneOf(WEBHOOK_EVENTS, { description: 'Name of the event.' }),
    body: Type.String({ description: 'The body of the webhook, byte for byte: JSON as text, in UTF-8.' }),
  },
  { title: 'FeedEvent' },
);
export type FeedEvent = Static<typeof FeedEvent>;

const FeedAnswer = Closed(
  {
    success: Success,
    events: Type.Array(FeedEvent, { description: 'In the order in which they happened.' }),
    cursor: Type.String({ description: 'Where the next pull goes on when all of these events are handled.' }),
    hasMore: Type.Boolean({ description: 'More events follow at once.' }),
  },
  { title: 'EventFeed' },
);

const FeedRequest = Closed(requestFields, { title: 'FeedRequest' });
export type FeedRequest = Static<typeof FeedRequest>;

const RequestsAnswer = Closed(
  {
    success: Success,
    requests: Type.Array(FeedRequest, { description: 'Newest first, at most 50.' }),
    cursor: Nullable(Type.String({ description: 'Pass it as `cursor` for older requests; null when there are none.' })),
    isAvailable: Type.Boolean({ description: 'False while the log cannot be read.' }),
  },
  { title: 'RequestFeed' },
);

/** Beside the 21 endpoints of the contract, for keys of both modes. */
export const FEED_ENDPOINTS = {
  readEvents: {
    method: 'GET',
    path: '/feed/events',
    section: 'Event feed',
    summary: 'Pull events after a cursor',
    description:
      'Returns the account’s events in the order in which they happened, each with the body that a webhook carries. Store the cursor of an event once it is handled, and pass it as `after`: no event of the last 30 days is left out. Without `after` and `since` the response has the current cursor and no events. Pulls have request limits of their own, of the same size as the account’s.',
    query: Type.Object({
      after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$', description: 'A cursor of an earlier response.' })),
      since: Type.Optional(
        Instant({
          description: 'Instead of `after`: begins with the events of this moment. Earlier ones may be among them.',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: EVENT_FEED.mostEvents,
          default: EVENT_FEED.defaultEvents,
          description: 'How many events the response contains at most.',
        }),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: EVENT_FEED.mostWaitSeconds,
          default: 0,
          description: 'How many seconds the response may wait for an event when there is none.',
        }),
      ),
    }),
    answers: { 200: FeedAnswer },
    messageOnly: 'The cursor is not of this account.',
    hasOwnLimit: true,
  },
  readRequests: {
    method: 'GET',
    path: '/feed/requests',
    section: 'Event feed',
    summary: 'Read the log of requests',
    description: `Requests of this account’s keys, newest first, without bodies and values: the latest ${REQUEST_LOG.most} of the last ${REQUEST_LOG.days} days. Entries may be lost: the log is for debugging. Calls of this operation are not in it, and have request limits of their own, of the same size as the account’s.`,
    query: Type.Object({
      status: Type.Optional(OneOf(STATUS_CLASSES, { description: 'Only responses of this class.' })),
      cursor: Type.Optional(Type.String({ maxLength: 40, description: 'The cursor of an earlier response.' })),
    }),
    answers: { 200: RequestsAnswer },
    hasOwnLimit: true,
  },
} as const satisfies Record<string, Endpoint>;
