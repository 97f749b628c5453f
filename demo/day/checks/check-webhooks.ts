import { type ShipmentStatus, WEBHOOK_DELIVERY, type WebhookEvent } from '@navette/contract';
import type { Received, WebhookReceiver } from '../../../server/test/webhook-receiver.ts';
import type { Day } from '../day.ts';
import type { Act } from '../journal.ts';
import type { Merchant } from '../merchant.ts';
import type { ComparedShipment } from './compare-history.ts';

export interface WebhookCounts {
  arrived: number;
  byEvent: Record<string, number>;
  /** Changes over the socket, for which the contract defines no event. */
  silent: number;
  /** Repeated events: the worker was killed before it recorded the first attempt, or the endpoint responded late. */
  repeated: number;
}

const EVENT_OF: Partial<Record<ShipmentStatus, WebhookEvent>> = {
  assigned: 'shipping.assigned',
  picked_up: 'shipping.picked_up',
  delivered: 'shipping.delivered',
  cancelled: 'shipping.cancelled',
};

/** The contract's table: always for the creation, then for changes that did not use the drivers' socket. */
function eventOf({ status, channel }: Act, isCreation: boolean): WebhookEvent | null {
  if (isCreation) return 'shipping.created';
  if (channel === 'realtime' && status !== 'cancelled') return null;
  return EVENT_OF[status] ?? null;
}

interface Expectation {
  least: number;
  most: number;
}

function expectedOf({ acts, maybe }: ComparedShipment): Map<WebhookEvent, Expectation> {
  const expected = new Map<WebhookEvent, Expectation>();
  const add = (act: Act, isCreation: boolean, least: number) => {
    const event = eventOf(act, isCreation);
    if (!event) return;
    const before = expected.get(event) ?? { least: 0, most: 0 };
    expected.set(event, { least: before.least + least, most: before.most + 1 });
  };
  for (const [i, act] of acts.entries()) add(act, i === 0, 1);
  for (const act of maybe) add(act, false, 0);
  return expected;
}

interface ReceivedEvent extends Received {
  envelope: { event: WebhookEvent; timestamp: string; data: Record<string, unknown> & { id: string } };
}

/** Events that have not arrived yet. */
export function missingWebhooks(day: Day, receiver: WebhookReceiver, trackedShipments: ComparedShipment[]): number {
  const received = groupRequests(receiver);
  let missing = 0;
  for (const compared of trackedShipments) {
    const expected = expectedOf(compared);
    for (const { path, events } of activeWebhooks(day, compared)) {
      for (const [event, { least }] of expected) {
        if (!events.includes(event)) continue;
        missing += Math.max(0, least - distinct(received.get(keyOf(path, compared.tracked.id, event))));
      }
    }
  }
  return missing;
}

/** Every event once at each subscribed webhook and no other, all of them signed and within the whitelist. */
export function checkWebhooks(day: Day, receiver: WebhookReceiver, trackedShipments: ComparedShipment[]) {
  const received = groupRequests(receiver);
  const violations = receiver.received.flatMap(({ path, faults }) =>
    faults.map((fault) => `webhook ${path}: not ${fault}`),
  );
  let repeated = 0;
  for (const compared of trackedShipments) {
    const { tracked } = compared;
    const expected = expectedOf(compared);
    for (const { path, events } of activeWebhooks(day, compared)) {
      for (const event of events) {
        const key = keyOf(path, tracked.id, event);
        const requests = received.get(key);
        received.delete(key);
        const { least, most } = expected.get(event) ?? { least: 0, most: 0 };
        const arrived = distinct(requests);
        const where = `${tracked.referenceNumber} (${tracked.plan.mode}, ${tracked.plan.fate}): ${event} at ${path}`;
        if (arrived < least || arrived > most) violations.push(`${where} came ${arrived} times, not ${most}`);
        const extra = (requests?.length ?? 0) - arrived;
        repeated += extra;
        if (extra > (day.options.faults !== 'none' ? 2 * arrived : lateAnswers(requests)))
          violations.push(`${where} was repeated, ${pausesBetween(requests)}`);
        for (const request of requests ?? []) violations.push(...compareBody(request, compared, where, day));
      }
    }
  }
  for (const key of received.keys()) violations.push(`unexpected webhook: ${key}`);
  const events = receiver.received.map(({ headers }) => String(headers['x-service-event']));
  const byEvent = Object.fromEntries(
    [...Map.groupBy(events, (event) => event)].map(([event, all]) => [event, all.length]),
  );
  const silent = trackedShipments
    .flatMap(({ acts }) => acts)
    .filter(({ channel, status }) => channel === 'realtime' && EVENT_OF[status]);
  return { violations, counts: { arrived: receiver.received.length, byEvent, silent: silent.length, repeated } };
}

function compareBody(
  { envelope }: ReceivedEvent,
  { tracked, acts }: ComparedShipment,
  where: string,
  day: Day,
): string[] {
  const { event, data } = envelope;
  const merchant = day.merchants[tracked.plan.merchant] as Merchant;
  const status = event === 'shipping.created' ? acts[0]?.status : event.slice('shipping.'.length);
  const deliverer = data.deliverer as { id: string; name: null; phoneNumber: null } | null;
  const needsDriver = event !== 'shipping.created' && event !== 'shipping.cancelled';
  const drivers = acts.flatMap(({ driverId }) => driverId ?? []);
  const checks: Record<string, boolean> = {
    status: data.status === status,
    price: data.price === tracked.price,
    reference: data.referenceNumber === tracked.referenceNumber,
    account: data.professionalId === merchant.id,
    driver: needsDriver ? deliverer !== null && (drivers.length === 0 || drivers.includes(deliverer.id)) : true,
    'driver’s name': deliverer === null || (deliverer.name === null && deliverer.phoneNumber === null),
  };
  return Object.entries(checks).flatMap(([what, holds]) => (holds ? [] : `${where}: wrong ${what}`));
}

/**
 * Requests without a response within the contract's timeout, measured from their signature: each is correctly retried.
 * Endpoints share this process with all drivers and recipients, so on a large day some responses are late.
 */
const lateAnswers = (requests: ReceivedEvent[] = []) =>
  requests.filter(({ answeredAt, headers }) => {
    const signedAt = Date.parse(String(headers['x-service-timestamp'])) - performance.timeOrigin;
    return answeredAt === null || answeredAt - signedAt >= WEBHOOK_DELIVERY.timeoutMs;
  }).length;

/** Time since the previous request: 6 s is a timeout and its retry. */
const pausesBetween = (requests: ReceivedEvent[] = []) =>
  requests
    .slice(1)
    .map(
      ({ at }, i) =>
        `${((at - (requests[i]?.at ?? at)) / 1_000).toFixed(1)} s later (answered in ${((requests[i]?.answeredAt ?? Number.NaN) - (requests[i]?.at ?? 0)).toFixed(0)} ms)`,
    )
    .join(', ');

const keyOf = (path: string, id: string, event: string) => `${path} ${id} ${event}`;
const distinct = (requests: ReceivedEvent[] = []) => new Set(requests.map(({ envelope }) => envelope.timestamp)).size;

const activeWebhooks = ({ merchants }: Day, { tracked }: ComparedShipment) =>
  (merchants[tracked.plan.merchant] as Merchant).webhooks.filter(({ isActive }) => isActive);

function groupRequests({ received }: WebhookReceiver): Map<string, ReceivedEvent[]> {
  const all = received.map(
    (request) => ({ ...request, envelope: JSON.parse(request.body.toString()) }) as ReceivedEvent,
  );
  return Map.groupBy(all, ({ path, envelope }) => keyOf(path, envelope.data.id, envelope.event));
}
