import type { ShipmentAct, ShipmentStatus } from '@navette/contract';
import { transition } from '../shipments/index.ts';

export interface ActFacts {
  status: ShipmentStatus;
  isReturned: boolean;
  hasOpenIncident: boolean;
  isPickupLocated: boolean;
  isDeliveryLocated: boolean;
}

/** The acts that the state of a shipment allows, most usual first. The use cases check again, with the shipment locked. */
export function possibleActs(facts: ActFacts): ShipmentAct[] {
  const { status, isReturned, hasOpenIncident, isPickupLocated, isDeliveryLocated } = facts;
  if (isReturned || status === 'delivered' || status === 'cancelled') return [];
  const may = (trigger: Parameters<typeof transition>[1]) => transition(status, trigger, 'http') !== null;
  const acts: [ShipmentAct, boolean][] = [
    ['resolve_incident', hasOpenIncident],
    ['locate_pickup', !isPickupLocated],
    ['locate_delivery', !isDeliveryLocated],
    ['assign', may('assign')],
    ['unassign', status === 'assigned' && may('abandon')],
    ['confirm_delivery', may('deliver')],
    ['cancel', may('cancel')],
  ];
  return acts.filter(([, isPossible]) => isPossible).map(([act]) => act);
}
