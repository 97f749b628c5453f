export { auditDriverLedgers, auditDriverPay } from './audit-driver-pay.ts';
export { correctDriverBalance, payDriver, readLastEntry } from './driver-ledger.ts';
export { serveDriverPay } from './driver-pay-commands.ts';
export { isPaidByRun } from './pay.ts';
export { quotePay, quotePays } from './quote-pay.ts';
export { listDriverEntries, listShipmentPay, monthOf, readStatement } from './read-statement.ts';
