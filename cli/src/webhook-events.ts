import type { WebhookEventName } from '../../sdk/src/generated/api-types.ts';

/** All five: the type fails to compile when one is missing. */
const PRESENT: Record<WebhookEventName, true> = {
  'shipping.created': true,
  'shipping.assigned': true,
  'shipping.picked_up': true,
  'shipping.delivered': true,
  'shipping.cancelled': true,
};

export const WEBHOOK_EVENTS = Object.keys(PRESENT) as WebhookEventName[];
