export { type ErrorDetails, type LocalSlug, NavetteError } from './errors.ts';
export { type EventStore, memoryStore } from './event-store.ts';
export type { WebhookEventName } from './generated/api-types.ts';
export { type RawRequest, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';
export { eventKey, isTestEvent, type WebhookData, type WebhookEvent, type WebhookPlace } from './webhook-event.ts';
export {
  type EventContext,
  type Outcome,
  type ReceiverOptions,
  receiveWebhooks,
  type WebhookHandlers,
  type WebhookReceiver,
} from './webhook-receiver.ts';
