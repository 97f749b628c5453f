import type { DriverShipment } from '@navette/contract';
import type { Stop } from '@navette/contract/driver-stop-order';

const HOURS = /(\d{1,2})[h:](\d{0,2})\s*-\s*(\d{1,2})[h:](\d{0,2})/; // also in "Matin (9h-12h)"
const USUAL_SLOT_MINUTES = 120; // of a slot whose name tells no hours
const MINUTE_MS = 60_000;

/** A run has a pickup until the parcel is picked up, and a delivery until it is delivered. */
export function stopsOf(shipment: DriverShipment): Stop[] {
  const { id, status, pickup, delivery } = shipment;
  const stop = (kind: Stop['kind']): Stop => ({
    id: `${kind} ${id}`,
    shipmentId: id,
    kind,
    at: (kind === 'pickup' ? pickup : delivery).coordinates,
    window: kind === 'delivery' ? windowOf(shipment.slot) : null,
  });
  if (status === 'assigned') return [stop('pickup'), stop('delivery')];
  return status === 'picked_up' || status === 'in_transit' ? [stop('delivery')] : [];
}

/** The time slot of the delivery; null for "as soon as possible". */
function windowOf({ startsAt, timeSlot }: DriverShipment['slot']): Stop['window'] {
  if (startsAt === null) return null;
  const from = Date.parse(startsAt);
  const [, h1 = '0', m1, h2 = '0', m2] = HOURS.exec(timeSlot ?? '') ?? [];
  const minutes = (Number(h2) - Number(h1)) * 60 + Number(m2 || 0) - Number(m1 || 0);
  return { from, until: from + (minutes > 0 ? minutes : USUAL_SLOT_MINUTES) * MINUTE_MS };
}
