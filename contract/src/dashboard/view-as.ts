import type { DashboardEndpointName } from './routes.ts';

/** How long staff may view a merchant's dashboard before they must give a reason again. */
export const VIEW_MINUTES = 30;

/**
 * The operations that a view of staff may call; every other one is refused before its handler. None of them changes
 * anything of the account, and none returns a secret:
 * - `readWebhookSecret` returns one; `readWebhookDelivery` returns signed requests and what the merchant's server answered.
 * - `listAddresses` returns recipients of no shipment in question; `suggestAddresses` serves a form that is not shown.
 * - `exportShipments` copies the data of all recipients, and writes to the merchant's security log.
 * - `listSessions`, `listSavedViews`, notifications and `signOut` are about a member; a view is ended by `endView`.
 */
export const SERVED_IN_VIEW: ReadonlySet<DashboardEndpointName> = new Set([
  'readSession',
  'endView',
  'listTeam',
  'listActs',
  'listShipments',
  'readStatuses',
  'readShipment',
  'quoteShipment', // a POST that computes a price
  'readLabel',
  'printLabels', // a POST that draws a file
  'readProof',
  'listImports',
  'importTemplate',
  'readImport',
  'importErrors',
  'listRecurring',
  'readRecurring',
  'readAccount',
  'readShopPage',
  'readMessageSettings',
  'previewMessage',
  'showMessage',
  'listLedger',
  'exportLedger',
  'readBillingDetails',
  'listInvoices',
  'readInvoicePdf',
  'readStatementPdf',
  'exportStatement',
  'readPayments',
  'readPayment',
  'readOverview',
  'listKeys',
  'listWebhooks',
  'readWebhook',
  'listWebhookDeliveries',
  'listWebhookResends',
  'listRequests',
  'readStart',
]);
