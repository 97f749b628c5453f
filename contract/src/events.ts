/** All webhook events. Departure (`in_transit`) and abandonment have none. */
export const WEBHOOK_EVENTS = [
  'shipping.created',
  'shipping.assigned',
  'shipping.picked_up',
  'shipping.delivered',
  'shipping.cancelled',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
