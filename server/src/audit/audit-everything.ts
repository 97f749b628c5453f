import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { auditDispatch } from '../features/dispatch/index.ts';
import { auditDriverPay } from '../features/driver-pay/index.ts';
import { auditFigures } from '../features/figures/index.ts';
import { auditIncidents } from '../features/incidents/index.ts';
import { auditHandovers } from '../features/invoice-platform/index.ts';
import { auditInvoices } from '../features/invoices/index.ts';
import { auditMessages } from '../features/messages/index.ts';
import { auditPayments } from '../features/payments/index.ts';
import { auditPersonalData, type Retention } from '../features/personal-data/index.ts';
import { auditRecurring } from '../features/recurring/index.ts';
import { auditShipments } from '../features/shipments/index.ts';
import { auditOperatorActs } from '../features/staff/index.ts';
import { auditWebhooks } from '../features/webhooks/index.ts';
import { auditPartitions } from './audit-partitions.ts';
import type { AuditFinding } from './find-broken-rows.ts';

/** Checks every invariant of every feature against the stored rows. */
export async function auditEverything(
  db: Database,
  config: Retention & Pick<Config, 'timeZone'>,
  now = new Date(),
): Promise<AuditFinding[]> {
  return [
    ...(await auditShipments(db, config.timeZone)),
    ...(await auditRecurring(db)),
    ...(await auditDispatch(db)),
    ...(await auditDriverPay(db)),
    ...(await auditInvoices(db)),
    ...(await auditHandovers(db)),
    ...(await auditPayments(db)),
    ...(await auditIncidents(db)),
    ...(await auditWebhooks(db)),
    ...(await auditMessages(db)),
    ...(await auditFigures(db, config.timeZone, now)),
    ...(await auditPersonalData(db, config, now)),
    ...(await auditOperatorActs(db)),
    ...(await auditPartitions(db)),
  ];
}
