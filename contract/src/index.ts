export { answersOf, anyOf, slugsOf } from './answers.ts';
export type { ArrivalWindow } from './arrival.ts';
export * from './cells.ts';
export * from './console/index.ts';
export * from './dashboard/index.ts';
export * from './driver/index.ts';
export type { EndpointPart, EndpointShape } from './endpoint-shape.ts';
export { BASE_PATH, ENDPOINTS, type Endpoint, type EndpointName } from './endpoints.ts';
export { ERASED } from './erased.ts';
export * from './errors.ts';
export * from './event-feed.ts';
export * from './events.ts';
export * from './key-resources.ts';
export * from './limits.ts';
export * from './message-kinds.ts';
export * from './notification-kinds.ts';
export { buildOpenApi } from './openapi.ts';
export { REPORT_KINDS, RecipientReport, type ReportKind } from './recipient-reports.ts';
export { Email, Nullable, OneOf } from './schema-kit.ts';
export type { Account } from './schemas/account.ts';
export * from './schemas/address.ts';
export type { RateAnswer, RateRequest } from './schemas/rate.ts';
export {
  type ExportRequest,
  type ListQuery,
  Shipment,
  ShipmentRequest,
  type StatsAnswer,
  type TrackingAnswer,
} from './schemas/shipment.ts';
export type { Webhook, WebhookChange, WebhookRequest } from './schemas/webhook.ts';
export { WebhookEventBody } from './schemas/webhook-event.ts';
export * from './scopes.ts';
export * from './statuses.ts';
export * from './test-mode.ts';
export { SIGN_IN_SLUGS, type WebFieldError } from './web-slugs.ts';
