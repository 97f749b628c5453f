export { addCredit } from './add-credit.ts';
export { type BalanceRefusal, listAnyBalanceRefusals, noteBalanceRefusals } from './balance-refusals.ts';
export { exportLedger } from './export-ledger.ts';
export { serveLedgerToDashboard } from './ledger-dashboard-routes.ts';
export { listLedger, listShipmentEntries } from './list-ledger.ts';
export { asDecimal, toCents, toEuros } from './money.ts';
export { proveBalance } from './prove-balance.ts';
export { readAmount } from './read-amount.ts';
