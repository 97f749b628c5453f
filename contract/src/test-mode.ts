import Type, { type Static } from 'typebox';
import type { Endpoint } from './endpoints.ts';
import { Failure } from './errors.ts';
import { RESENDABLE_DAYS } from './limits.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from './schema-kit.ts';
import { PAYMENT_STATUSES, SHIPMENT_STATUSES } from './statuses.ts';

/** Steps of a robot courier, each a command of the driver API, and `activate`, which stands for the passing of time. */
export const TEST_STEPS = [
  'activate',
  'accept',
  'refuse',
  'abandon',
  'pick_up',
  'depart',
  'deliver',
  'wrong_code',
  'report_incident',
] as const;
export type TestStep = (typeof TEST_STEPS)[number];

/** Statuses that a courier can bring a shipment to. */
export const TEST_TARGETS = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'] as const;
export type TestTarget = (typeof TEST_TARGETS)[number];

/**
 * Recipient names that cause a fault, in test mode only. The name is compared without regard to case and accents, and may
 * be followed by other words.
 */
export const TEST_NAMES = {
  lockedCode: 'Test locked code',
  noDriver: 'Test no driver',
  unknownAddress: 'Test unknown address',
  failureAfterCommit: 'Test 500',
  slowAnswer: 'Test slow',
} as const;

export const TEST_SLOW_MS = 6_000;

/** Faults with which a webhook of a test account sends every event, until another one is set. */
export const TEST_FAULTS = {
  twice: 'The first response counts as lost, so the event is sent again.',
  out_of_order: '`shipping.created` and `shipping.picked_up` are sent after the next event of the shipment.',
  late: 'Events are sent ten seconds late.',
  bad_signature: 'The signature is made with another secret.',
  old_timestamp: 'The timestamp is one hour old, and the signature is correct.',
  three_failures: 'Each of the three attempts counts as failed, whatever the response.',
} as const;
export type TestFault = keyof typeof TEST_FAULTS;

const ShipmentParams = Type.Object({ id: Id('Shipment id') });
const Steps = Type.Array(OneOf(TEST_STEPS), { description: 'The steps that are possible now.' });
const Status = OneOf(SHIPMENT_STATUSES, { description: 'Status of the shipment now.' });

const TestShipmentAnswer = Closed(
  {
    success: Success,
    status: Status,
    steps: Steps,
    courier: Nullable(
      Closed(
        {
          id: Id('The robot.'),
          latitude: Nullable(Type.Number({ description: 'Degrees north.', examples: [48.8606] })),
          longitude: Nullable(Type.Number({ description: 'Degrees east.', examples: [2.3376] })),
        },
        { description: 'The robot that has the run, and its last position.' },
      ),
    ),
  },
  { title: 'TestShipment' },
);
export type TestShipmentAnswer = Static<typeof TestShipmentAnswer>;

const StepRefused = Closed(
  {
    success: Failure,
    message: Type.String({ description: 'French text for people; do not parse it.' }),
    status: Status,
    steps: Steps,
  },
  { title: 'TestStepRefused' },
);

const courier = {
  mode: OneOf(['manual', 'auto'], { description: '`auto`: robots deliver every shipment of this account.' }),
  pace: OneOf(['fast', 'real'], { description: '`real`: legs take as long as at 20 km/h.' }),
  secondsPerStep: Type.Integer({ minimum: 1, maximum: 600, description: 'Of the pace `fast`.' }),
};
const CourierAnswer = Closed({
  success: Success,
  courier: Closed(courier, { title: 'TestCourier', description: 'How robot couriers work.' }),
});
const CourierRequest = Type.Object({
  mode: courier.mode,
  pace: Type.Optional(courier.pace),
  secondsPerStep: Type.Optional(courier.secondsPerStep),
});
export type TestCourier = Static<typeof CourierAnswer>['courier'];

const fault = OneOf([...(Object.keys(TEST_FAULTS) as TestFault[]), 'none'], {
  description: Object.entries(TEST_FAULTS)
    .map(([name, effect]) => `\`${name}\`: ${effect}`)
    .join(' '),
});
const WebhookParams = Type.Object({ id: Id('Webhook id') });
const TestWebhookAnswer = Closed({
  success: Success,
  webhook: Closed(
    { _id: Id('Webhook id'), fault },
    { title: 'TestWebhook', description: 'The webhook and its fault.' },
  ),
});

/** How far the clock of a test account can be ahead of the real time. */
export const TEST_CLOCK_MOST_DAYS = 1_100;

const clock = Closed(
  {
    now: Instant({ description: 'The time of the test account.', examples: ['2027-03-28T12:00:00.000Z'] }),
    aheadSeconds: Type.Integer({ description: 'How far it is ahead of the real time.', examples: [86_400] }),
    movingTo: Nullable(
      Instant({
        description: 'The instant of a call that has not reached it yet: repeat the call. Null when it was reached.',
        examples: ['2027-03-28T12:00:00.000Z'],
      }),
    ),
  },
  { title: 'TestClock', description: 'The clock of the test account.' },
);
export type TestClock = Static<typeof clock>;
const ClockAnswer = Closed({ success: Success, clock });
const ClockRefused = Closed(
  {
    success: Failure,
    message: Type.String({ description: 'French text for people; do not parse it.' }),
    clock,
  },
  { title: 'TestClockRefused' },
);

const section = 'Test mode';
const define = <const T extends Record<string, Endpoint>>(endpoints: T) => endpoints;

/** Beside the 21 endpoints of the contract, for keys of a test twin only: a live key gets 404. */
export const TEST_ENDPOINTS = define({
  readTestCourier: {
    method: 'GET',
    path: '/test/courier',
    section,
    summary: 'Read how robot couriers work',
    answers: { 200: CourierAnswer },
    findsOne: true,
  },
  setTestCourier: {
    method: 'PUT',
    path: '/test/courier',
    section,
    summary: 'Let robot couriers deliver by themselves, or step by step',
    body: CourierRequest,
    answers: { 200: CourierAnswer },
    findsOne: true,
  },
  readTestShipment: {
    method: 'GET',
    path: '/test/shipping/:id',
    section,
    summary: 'Read which steps are possible now',
    params: ShipmentParams,
    answers: { 200: TestShipmentAnswer },
    findsOne: true,
  },
  takeTestStep: {
    method: 'POST',
    path: '/test/shipping/:id/step',
    section,
    summary: 'Let the robot courier do one step',
    description:
      'The robot sends the command to the driver API, so everything follows as in live mode: status, events, webhooks, the recipient’s page. `activate` starts the search for a courier of a programmed shipment at once.',
    params: ShipmentParams,
    body: Type.Object({ step: OneOf(TEST_STEPS, { description: 'The step to do.', examples: ['accept'] }) }),
    answers: { 200: TestShipmentAnswer, 409: StepRefused },
    findsOne: true,
  },
  advanceTestShipment: {
    method: 'POST',
    path: '/test/shipping/:id/until',
    section,
    summary: 'Let the robot courier go on until the shipment has this status',
    description: 'Returns when the status is reached, or 409 when no step leads to it.',
    params: ShipmentParams,
    body: Type.Object({
      status: OneOf(TEST_TARGETS, { description: 'The status to reach.', examples: ['delivered'] }),
    }),
    answers: { 200: TestShipmentAnswer, 409: StepRefused },
    findsOne: true,
  },
  readTestWebhook: {
    method: 'GET',
    path: '/test/webhooks/:id',
    section,
    summary: 'Read the fault with which a webhook sends events',
    params: WebhookParams,
    answers: { 200: TestWebhookAnswer },
    findsOne: true,
  },
  setTestWebhook: {
    method: 'PUT',
    path: '/test/webhooks/:id',
    section,
    summary: 'Let a webhook send events with a fault',
    description: 'The fault applies to every event from now on, until another one or `none` is set.',
    params: WebhookParams,
    body: Type.Object({ fault }),
    answers: { 200: TestWebhookAnswer },
    findsOne: true,
  },
  resendTestEvent: {
    method: 'POST',
    path: '/test/events/:id/resend',
    section,
    summary: 'Send a past event to the active webhooks again',
    description: `A new delivery with the same body and a new signature, to every active webhook that subscribes to the event. It replaces the earlier delivery in the log. A webhook that the event is still being sent to is left out. An event older than ${RESENDABLE_DAYS} days returns 404.`,
    params: Type.Object({ id: Id('Event id') }),
    answers: {
      200: Closed({ success: Success, webhooks: Type.Integer({ description: 'How many webhooks it is sent to.' }) }),
    },
    findsOne: true,
  },
  readTestClock: {
    method: 'GET',
    path: '/test/clock',
    section,
    summary: 'Read the time of the test account',
    answers: { 200: ClockAnswer },
    findsOne: true,
  },
  moveTestClock: {
    method: 'POST',
    path: '/test/clock',
    section,
    summary: 'Move the clock of the test account forward',
    description:
      'Everything that is due until then happens at its own time: programmed shipments are activated, offers end, searches go on. Returns 200 when all of it is done, and 202 when it takes longer than a call may: repeat the call then. 409: the instant is in the past of this clock, which never goes back. `DELETE /test/data` sets it to the real time.',
    body: Type.Object({
      to: Instant({
        maxLength: 40,
        description: 'The instant, with an offset from UTC. At most 1,100 days after the real time.',
        examples: ['2027-03-28T14:00:00+02:00'],
      }),
    }),
    answers: { 200: ClockAnswer, 202: ClockAnswer, 409: ClockRefused },
    findsOne: true,
  },
  setTestAccount: {
    method: 'PUT',
    path: '/test/account',
    section,
    summary: 'Set balance, payment status or limits of the test account',
    description: 'For the refusals `INSUFFICIENT_BALANCE`, `ACCOUNT_SUSPENDED`, `PAYMENT_REQUIRED`, and 429.',
    body: Type.Object({
      balance: Type.Optional(Euros({ minimum: 0, maximum: 1_000_000, description: 'The new balance.' })),
      paymentStatus: Type.Optional(OneOf(PAYMENT_STATUSES, { description: 'The new payment status.' })),
      requestsPerMinute: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'The limit of the minute window.',
          examples: [60],
        }),
      ),
    }),
    answers: { 200: Closed({ success: Success }) },
    findsOne: true,
  },
  emptyTestAccount: {
    method: 'DELETE',
    path: '/test/data',
    section,
    summary: 'Delete all shipments of the test account and restore its balance',
    description: 'Keys, webhooks and settings stay.',
    answers: {
      200: Closed({ success: Success, deleted: Type.Integer({ description: 'How many shipments were deleted.' }) }),
    },
    findsOne: true,
  },
});
