import type { ShipmentStatus, WebhookEvent } from '@navette/contract';

/**
 * The life of a shipment, as one table. A trigger moves it from one of the states in `from` to `to`; whoever asks,
 * there is no other way. The channel decides only whether merchants hear of it: what drivers do over the app's
 * real-time channel emits nothing, and `in_transit`, activation and abandonment never do. `shipping.created` belongs
 * to the birth of a shipment, which is no transition, so a shipment that becomes `created` later does not repeat it.
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

/** Where the trigger leads from this state, or null when it may not happen now. */
export function transition(from: ShipmentStatus, trigger: Trigger, channel: Channel): Transition | null {
  const rule = RULES[trigger];
  if (!rule.from.includes(from)) return null;
  return { to: rule.to, event: isSilent(trigger, channel) ? null : rule.event };
}

/** A cancellation is the merchant's, whatever it came by: the contract knows no case in which it is not told. */
const isSilent = (trigger: Trigger, channel: Channel) => channel === 'realtime' && trigger !== 'cancel';

/** Every step that a history may contain. */
export function legalSteps(): { from: ShipmentStatus; to: ShipmentStatus }[] {
  return Object.values(RULES).flatMap(({ from, to }) => from.map((state) => ({ from: state, to })));
}
