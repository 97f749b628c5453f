export * from './account.ts';
export type { Act, ActName } from './acts.ts';
export type { AddressSuggestion, SavedAddress } from './addresses.ts';
export type { DashboardEndpoint } from './endpoint.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './imports.ts';
export { type BillingDetails, BillingDetailsInput, type BillingMonth, type InvoiceSummary } from './invoices.ts';
export type { DashboardKey } from './keys.ts';
export type { MessageSettings } from './message-settings.ts';
export type { Notification, NotificationChoice } from './notifications.ts';
export { buildDashboardOpenApi, dashboardAnswersOf, dashboardRoute } from './openapi.ts';
export * from './overview.ts';
export type { NewPasskey, PasskeyProof } from './passkeys.ts';
export { PAYMENT_METHODS, PAYMENT_STATES, type Payment, type Payments } from './payments.ts';
export * from './recurring.ts';
export type { LoggedRequest } from './requests.ts';
export * from './roles.ts';
export * from './routes.ts';
export type { SavedView, SaveViewBody } from './saved-views.ts';
export type { Member, SessionAnswer } from './session.ts';
export type { ShipmentDetail, ShipmentIncident, ShipmentProof } from './shipment-detail.ts';
export * from './shipment-list.ts';
export type { PriceStep, PriceStepName, Quote, QuoteRequest } from './shipment-quote.ts';
export { SHIPMENT_SOURCES, type ShipmentSource } from './shipments.ts';
export { MAX_LOGO_BYTES, type ShopPage } from './shop-page.ts';
export type { FirstSteps } from './start.ts';
export type { Invitation, TeamMember } from './team.ts';
export * from './view-as.ts';
export type {
  DashboardWebhook,
  DeliveryAttempt,
  DeliverySummary,
  ResendRequest,
  SentRequest,
  WebhookHealth,
  WebhookResend,
} from './webhooks.ts';
