import { createStripeClient, type StripeClient } from '../../adapters/stripe/stripe-client.ts';
import type { Config } from '../../config.ts';

export { auditPayments } from './audit-payments.ts';
export { listAnyPayments } from './list-any-payments.ts';
export { countStripeEvents, countStripeRequests, measurePayments } from './payment-metrics.ts';
export { servePaymentsToConsole } from './payments-console-routes.ts';
export { servePaymentsToDashboard } from './payments-dashboard-routes.ts';
export { findAnyPayer, isInFuture, recordTransfer } from './record-transfer.ts';
export {
  accountOf,
  creditableCents,
  creditReviewed,
  describeReview,
  lockAnyReviewed,
  rejectReviewed,
} from './review-rows.ts';
export { serveStripeEvents } from './stripe-events-route.ts';

/** Null when payments online are switched off. */
export const openStripe = (
  { stripe: { secretKey, apiUrl } }: Pick<Config, 'stripe'>,
  onAnswer: (status: number | null) => void,
): StripeClient | null => (secretKey === null ? null : createStripeClient({ secretKey, apiUrl, onAnswer }));
