export { auditDriverPay } from './audit-driver-pay.ts';
export { correctDriverBalance, payDriver } from './driver-ledger.ts';
export { serveDriverPay } from './driver-pay-commands.ts';
export { isPaidByRun } from './pay.ts';
export { quotePay } from './quote-pay.ts';
export { isMonth, listDriverEntries, listShipmentPay, monthOf, readStatement } from './read-statement.ts';
