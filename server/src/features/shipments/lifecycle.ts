import type { ShipmentStatus, WebhookEvent } from '@navette/contract';

/**
 * The state machine of a shipment, as one table. A trigger moves it from one of the states in `from` to `to`; no other
 * transition exists. The channel decides only whether an event is emitted: commands over the driver app's socket emit
 * none, and departure, activation and abandonment never do. `shipping.created` is emitted by the creation, which is not
 * a transition, so a shipment that becomes `created` later does not emit it again.
 */
export type Trigger = 'activate' | 'assign' | 'pick_up' | 'depart' | 'deliver' | 'abandon' | 'cancel';

/** `realtime` is the driver app's socket; everything else (HTTP, dispatch, operator, merchant) is `http`. */
export type Channel = 'http' | 'realtime';

interface Rule {
  from: readonly ShipmentStatus[];
  to: ShipmentStatus;
  event: WebhookEvent | null;
}

export const RULES: Record<Trigger, Rule> = {
  activate: { from: ['programmed'], to: 'created', event: null },
  assign: { from: ['programmed', 'created', 'assigned'], to: 'assigned', event: 'shipping.assigned' },
  pick_up: { from: ['assigned'], to: 'picked_up', event: 'shipping.picked_up' },
  depart: { from: ['picked_up'], to: 'in_transit', event: null },
  deliver: { from: ['assigned', 'picked_up', 'in_transit'], to: 'delivered', event: 'shipping.delivered' },
  abandon: { from: ['assigned'], to: 'created', event: null },
  cancel: { from: ['programmed', 'created', 'assigned'], to: 'cancelled', event: 'shipping.cancelled' },
};

export interface Transition {
  to: ShipmentStatus;
  event: WebhookEvent | null;
}

/** The next state and its event, or null when the trigger is not allowed in this state. */
export function transition(from: ShipmentStatus, trigger: Trigger, channel: Channel): Transition | null {
  const rule = RULES[trigger];
  if (!rule.from.includes(from)) return null;
  return { to: rule.to, event: isSilent(trigger, channel) ? null : rule.event };
}

/** A cancellation emits its event on every channel: the contract has no exception. */
const isSilent = (trigger: Trigger, channel: Channel) => channel === 'realtime' && trigger !== 'cancel';

/** Every transition that a status history may contain. */
export function legalSteps(): { from: ShipmentStatus; to: ShipmentStatus }[] {
  return Object.values(RULES).flatMap(({ from, to }) => from.map((state) => ({ from: state, to })));
}
