export { addCredit } from './add-credit.ts';
export { serveLedgerToDashboard } from './dashboard-routes.ts';
export { toCents, toEuros } from './money.ts';
export { proveBalance } from './prove-balance.ts';
