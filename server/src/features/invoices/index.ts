export { auditInvoices } from './audit-invoices.ts';
export { checkBillingDetails, readBillingDetails, saveBillingDetails } from './buyer.ts';
export { lastEndedMonth } from './close-month.ts';
export { drawInvoice } from './draw.ts';
export { serveInvoicesToDashboard } from './invoices-dashboard-routes.ts';
export { issueAnyInvoices } from './issue-invoices.ts';
export { type Issuer, isIssuer, isSwitchedOff, readIssuer } from './issuer.ts';
export { listAnyInvoices, readAnyInvoice, summarize } from './read-invoices.ts';
export { reverseAnyInvoice } from './reverse-invoice.ts';
