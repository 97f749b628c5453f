export { auditRecurring } from './audit-recurring.ts';
export { createAnyDue } from './create-any-due.ts';
export { createDueOccurrences } from './create-due.ts';
export { serveRecurring } from './recurring-dashboard-routes.ts';
