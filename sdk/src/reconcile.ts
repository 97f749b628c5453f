import type { ShipmentDocument, WebhookEventName } from './generated/api-types.ts';
import type { WebhookEvent, WebhookPlace } from './webhook-event.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export interface ReconcileOptions {
  /** Changes from this instant on; the `next` of the previous run. */
  since: string | Date;
  /** The receiver of the webhooks: its handlers, and its store of handled events. */
  webhooks: Pick<WebhookReceiver, 'dispatch'>;
  /** Shipments created up to this many days before `since` are examined. 30 by default. */
  lookbackDays?: number;
  /** Receives failures of handlers; the run goes on. */
  onError?: (error: unknown, event: WebhookEvent) => void;
  signal?: AbortSignal;
}

export interface ReconcileResult {
  /** Shipments that changed since. */
  changed: number;
  /** Events that had not arrived and were handled now. */
  handled: number;
  failed: number;
  /** `since` of the next run. Unchanged when a handler failed, so that the next run repeats it. */
  next: string;
}

const DAY_MS = 86_400_000;
const OVERLAP_MS = 60_000; // changes that commit late, and rounding of the server's clock; the store drops repetitions

type Listed = { from: string; limit: number };

/**
 * Finds changes whose event never arrived, and gives them to the handlers of the webhooks. Needed because the service
 * drops an event after three attempts, and sends none for changes over the driver app's real-time channel.
 */
export async function reconcile(
  list: (query: Listed) => AsyncIterable<ShipmentDocument>,
  serverNow: () => number,
  { since, webhooks, lookbackDays = 30, onError }: ReconcileOptions,
): Promise<ReconcileResult> {
  const from = new Date(since);
  const startedAt = performance.now();
  const result = { changed: 0, handled: 0, failed: 0 };
  const query = { from: new Date(from.getTime() - lookbackDays * DAY_MS).toISOString(), limit: 100 };
  for await (const shipment of list(query)) {
    const events = eventsSince(shipment, from);
    if (events.length > 0) result.changed++;
    for (const event of events) {
      try {
        if ((await webhooks.dispatch(event, { origin: 'reconcile' })) === 'handled') result.handled++;
      } catch (error) {
        result.failed++;
        onError?.(error, event);
      }
    }
  }
  const startOnServer = serverNow() - (performance.now() - startedAt);
  const next = new Date(Math.max(startOnServer - OVERLAP_MS, from.getTime()));
  return { ...result, next: (result.failed > 0 ? from : next).toISOString() };
}

/** The events of a shipment's history, oldest first. `in_transit` and a return to `created` have none. */
function eventsSince(shipment: ShipmentDocument, since: Date): WebhookEvent[] {
  const events = shipment.statusHistory.flatMap(({ status, at }, nth): WebhookEvent[] => {
    const isSilent = status === 'in_transit' || (nth > 0 && (status === 'created' || status === 'programmed'));
    if (isSilent || new Date(at) < since) return [];
    const event = (nth === 0 ? 'shipping.created' : `shipping.${status}`) as WebhookEventName;
    return [{ event, timestamp: at, data: dataOf(shipment, status, at, nth === 0) }];
  });
  // A shipment may be assigned several times; its events share one key, and the last one is current.
  return events.filter(({ event }, i) => !events.slice(i + 1).some((later) => later.event === event));
}

function dataOf(
  shipment: ShipmentDocument,
  status: WebhookEvent['data']['status'],
  at: string,
  isNew: boolean,
): WebhookEvent['data'] {
  const { deliverer, deliveryAddress: to } = shipment;
  const driverId = isNew || deliverer === null ? null : typeof deliverer === 'string' ? deliverer : deliverer._id;
  return {
    id: shipment._id,
    professionalId: shipment.professional,
    referenceNumber: shipment.referenceNumber,
    status,
    price: shipment.price,
    externalReference: shipment.externalReference,
    createdAt: shipment.createdAt,
    updatedAt: at,
    pickupAddress: placeOf(shipment.pickupAddress),
    deliveryAddress: { recipientName: to.recipientName, ...placeOf(to), phoneNumber: to.phoneNumber },
    deliverer: driverId === null ? null : { id: driverId, name: null, phoneNumber: null },
  };
}

const placeOf = ({ street, city, postalCode, country }: WebhookPlace): WebhookPlace => ({
  street,
  city,
  postalCode,
  country,
});
