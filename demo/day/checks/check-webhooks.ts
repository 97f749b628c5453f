import { setTimeout } from 'node:timers/promises';
import { type ShipmentStatus, WEBHOOK_DELIVERY, type WebhookEvent } from '@navette/contract';
import type { Received, WebhookReceiver } from '../../../server/test/webhook-receiver.ts';
import type { Act } from '../book.ts';
import type { Day } from '../day.ts';
import type { Merchant } from '../merchant.ts';
import type { ComparedStory } from './compare-history.ts';

export interface WebhookCounts {
  arrived: number;
  byEvent: Record<string, number>;
  /** Changes over the socket, which the contract keeps silent. */
  silent: number;
  /** The same event once more: its worker was killed before it knew of the first time, or the endpoint answered late. */
  repeated: number;
}

const EVENT_OF: Partial<Record<ShipmentStatus, WebhookEvent>> = {
  assigned: 'shipping.assigned',
  picked_up: 'shipping.picked_up',
  delivered: 'shipping.delivered',
  cancelled: 'shipping.cancelled',
};

/** The contract's table: the birth always, then what was not done over the drivers' socket; the rest never. */
function eventOf({ status, channel }: Act, isBirth: boolean): WebhookEvent | null {
  if (isBirth) return 'shipping.created';
  if (channel === 'realtime' && status !== 'cancelled') return null;
  return EVENT_OF[status] ?? null;
}

interface Expectation {
  least: number;
  most: number;
}

function expectedOf({ acts, maybe }: ComparedStory): Map<WebhookEvent, Expectation> {
  const expected = new Map<WebhookEvent, Expectation>();
  const add = (act: Act, isBirth: boolean, least: number) => {
    const event = eventOf(act, isBirth);
    if (!event) return;
    const before = expected.get(event) ?? { least: 0, most: 0 };
    expected.set(event, { least: before.least + least, most: before.most + 1 });
  };
  for (const [i, act] of acts.entries()) add(act, i === 0, 1);
  for (const act of maybe) add(act, false, 0);
  return expected;
}

interface Heard extends Received {
  envelope: { event: WebhookEvent; timestamp: string; data: Record<string, unknown> & { id: string } };
}

const LONGEST_WAIT_MS = 90_000; // a killed worker's round is another's within half a minute, then come its retries

/** Until every event that must come has come, or is overdue. */
export async function untilWebhooksArrived(
  day: Day,
  receiver: WebhookReceiver,
  stories: ComparedStory[],
): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (missingFrom(day, receiver, stories) > 0 && performance.now() < deadline) await setTimeout(500);
}

function missingFrom(day: Day, receiver: WebhookReceiver, stories: ComparedStory[]): number {
  const heard = hear(receiver);
  let missing = 0;
  for (const compared of stories) {
    const expected = expectedOf(compared);
    for (const { path, events } of activeWebhooks(day, compared)) {
      for (const [event, { least }] of expected) {
        if (!events.includes(event)) continue;
        missing += Math.max(0, least - distinct(heard.get(keyOf(path, compared.story.id, event))));
      }
    }
  }
  return missing;
}

/** Every event once, at each webhook that wanted it; nothing else; all of it signed and within the whitelist. */
export function checkWebhooks(day: Day, receiver: WebhookReceiver, stories: ComparedStory[]) {
  const heard = hear(receiver);
  const violations = receiver.received.flatMap(({ path, faults }) =>
    faults.map((fault) => `webhook ${path}: not ${fault}`),
  );
  let repeated = 0;
  for (const compared of stories) {
    const { story } = compared;
    const expected = expectedOf(compared);
    for (const { path, events } of activeWebhooks(day, compared)) {
      for (const event of events) {
        const key = keyOf(path, story.id, event);
        const requests = heard.get(key);
        heard.delete(key);
        const { least, most } = expected.get(event) ?? { least: 0, most: 0 };
        const arrived = distinct(requests);
        const where = `${story.referenceNumber} (${story.plan.mode}, ${story.plan.fate}): ${event} at ${path}`;
        if (arrived < least || arrived > most) violations.push(`${where} came ${arrived} times, not ${most}`);
        const extra = (requests?.length ?? 0) - arrived;
        repeated += extra;
        if (extra > (day.options.kill ? 2 * arrived : lateAnswers(requests)))
          violations.push(`${where} was repeated, ${pausesBetween(requests)}`);
        for (const request of requests ?? []) violations.push(...compareBody(request, compared, where, day));
      }
    }
  }
  for (const key of heard.keys()) violations.push(`webhook that nobody expected: ${key}`);
  const events = receiver.received.map(({ headers }) => String(headers['x-service-event']));
  const byEvent = Object.fromEntries(
    [...Map.groupBy(events, (event) => event)].map(([event, all]) => [event, all.length]),
  );
  const silent = stories
    .flatMap(({ acts }) => acts)
    .filter(({ channel, status }) => channel === 'realtime' && EVENT_OF[status]);
  return { violations, counts: { arrived: receiver.received.length, byEvent, silent: silent.length, repeated } };
}

function compareBody({ envelope }: Heard, { story, acts }: ComparedStory, where: string, day: Day): string[] {
  const { event, data } = envelope;
  const merchant = day.merchants[story.plan.merchant] as Merchant;
  const status = event === 'shipping.created' ? acts[0]?.status : event.slice('shipping.'.length);
  const deliverer = data.deliverer as { id: string; name: null; phoneNumber: null } | null;
  const needsDriver = event !== 'shipping.created' && event !== 'shipping.cancelled';
  const drivers = acts.flatMap(({ driverId }) => driverId ?? []);
  const checks: Record<string, boolean> = {
    status: data.status === status,
    price: data.price === story.price,
    reference: data.referenceNumber === story.referenceNumber,
    account: data.professionalId === merchant.id,
    driver: needsDriver ? deliverer !== null && (drivers.length === 0 || drivers.includes(deliverer.id)) : true,
    'driver’s name': deliverer === null || (deliverer.name === null && deliverer.phoneNumber === null),
  };
  return Object.entries(checks).flatMap(([what, holds]) => (holds ? [] : `${where}: wrong ${what}`));
}

/**
 * Requests that were not answered within the contract's time, counted from their signature: each is rightly sent again.
 * Endpoints share this process with every driver and recipient, so on a large day some answers are late.
 */
const lateAnswers = (requests: Heard[] = []) =>
  requests.filter(({ answeredAt, headers }) => {
    const signedAt = Date.parse(String(headers['x-service-timestamp'])) - performance.timeOrigin;
    return answeredAt === null || answeredAt - signedAt >= WEBHOOK_DELIVERY.timeoutMs;
  }).length;

/** How long after the request before: 6 s is a timeout and its retry. */
const pausesBetween = (requests: Heard[] = []) =>
  requests
    .slice(1)
    .map(
      ({ at }, i) =>
        `${((at - (requests[i]?.at ?? at)) / 1_000).toFixed(1)} s later (answered in ${((requests[i]?.answeredAt ?? Number.NaN) - (requests[i]?.at ?? 0)).toFixed(0)} ms)`,
    )
    .join(', ');

const keyOf = (path: string, id: string, event: string) => `${path} ${id} ${event}`;
const distinct = (requests: Heard[] = []) => new Set(requests.map(({ envelope }) => envelope.timestamp)).size;

const activeWebhooks = ({ merchants }: Day, { story }: ComparedStory) =>
  (merchants[story.plan.merchant] as Merchant).webhooks.filter(({ isActive }) => isActive);

function hear({ received }: WebhookReceiver): Map<string, Heard[]> {
  const all = received.map((request) => ({ ...request, envelope: JSON.parse(request.body.toString()) }) as Heard);
  return Map.groupBy(all, ({ path, envelope }) => keyOf(path, envelope.data.id, envelope.event));
}
