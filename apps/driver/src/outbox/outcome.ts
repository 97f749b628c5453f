import type { ShipmentStatus } from '@navette/contract/statuses';
import type { CommandName, CommandRefusal } from './entry.ts';

export type Outcome =
  | { kind: 'done'; body: Record<string, unknown> }
  | { kind: 'refused'; refusal: CommandRefusal }
  | { kind: 'retry'; afterMs: number | null }
  | { kind: 'signed-out' };

export interface Received {
  status: number;
  /** Null when the response is not JSON: a captive portal or a proxy has answered, not the server. */
  body: Record<string, unknown> | null;
  /** Value of Retry-After in seconds. */
  retryAfter: number | null;
}

const LATER = [408, 425, 429];

/** The meaning of a response to a command; `null` when no response arrived. */
export function judgeResponse(received: Received | null): Outcome {
  if (received === null || received.body === null) return { kind: 'retry', afterMs: null };
  const { status, body, retryAfter } = received;
  if (status >= 200 && status < 300) return body.success === true ? { kind: 'done', body } : retryLater(retryAfter);
  if (status === 401) return { kind: 'signed-out' };
  if (status < 400 || status >= 500 || LATER.includes(status)) return retryLater(retryAfter);
  const { error, message, success: _success, errors: _errors, ...extra } = body;
  return {
    kind: 'refused',
    refusal: {
      status,
      slug: typeof error === 'string' ? error : null,
      message: typeof message === 'string' ? message : '',
      extra,
      shipmentStatus: null,
    },
  };
}

const retryLater = (seconds: number | null): Outcome => ({
  kind: 'retry',
  afterMs: seconds === null ? null : seconds * 1_000,
});

const PROGRESS: readonly ShipmentStatus[] = ['assigned', 'picked_up', 'in_transit', 'delivered'];
const TARGET: Partial<Record<CommandName, ShipmentStatus>> = {
  acceptOffer: 'assigned',
  pickUp: 'picked_up',
  depart: 'in_transit',
  deliver: 'delivered',
};

/** Whether the shipment's current status explains the refusal, and the app must ask for it. */
export const dependsOnStatus = (name: CommandName, { slug, status }: CommandRefusal): boolean =>
  name !== 'setAvailability' && (slug === 'NOT_ALLOWED_NOW' || status === 404);

/**
 * A step is refused when another phone of this driver, or the operator, has already done it. Then nothing is missing,
 * and the driver needs no card.
 */
export function judgeWithStatus(
  name: CommandName,
  refusal: CommandRefusal,
  shipmentStatus: ShipmentStatus | 'gone',
): Outcome {
  const target = TARGET[name];
  const isReached =
    target !== undefined && shipmentStatus !== 'gone' && PROGRESS.indexOf(shipmentStatus) >= PROGRESS.indexOf(target);
  return isReached ? { kind: 'done', body: {} } : { kind: 'refused', refusal: { ...refusal, shipmentStatus } };
}
