import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { auditDispatch } from '../features/dispatch/index.ts';
import { auditDriverLedgers, auditDriverPay } from '../features/driver-pay/index.ts';
import { auditFigures } from '../features/figures/index.ts';
import { auditIncidents } from '../features/incidents/index.ts';
import { auditHandovers } from '../features/invoice-platform/index.ts';
import { auditInvoices, auditSeries } from '../features/invoices/index.ts';
import { auditMessages } from '../features/messages/index.ts';
import { auditPayments } from '../features/payments/index.ts';
import {
  auditErasedKeys,
  auditOtherPersonalData,
  auditPersonalData,
  type Retention,
} from '../features/personal-data/index.ts';
import { auditRecurring } from '../features/recurring/index.ts';
import { auditIdempotencyKeys, auditShipments } from '../features/shipments/index.ts';
import { auditOperatorActs } from '../features/staff/index.ts';
import { auditWebhooks } from '../features/webhooks/index.ts';
import { auditPartitions } from './audit-partitions.ts';
import type { AuditFinding } from './find-broken-rows.ts';

export type AuditSettings = Retention & Pick<Config, 'timeZone'>;

/** Checks every invariant of every feature against the stored rows. */
export async function auditEverything(
  db: Database,
  settings: AuditSettings,
  now = new Date(),
): Promise<AuditFinding[]> {
  return [
    ...(await auditAccounts(db, settings, now)),
    ...(await auditDriverLedgers(db)),
    ...(await auditSeries(db)),
    ...(await auditKeys(db)),
    ...(await auditOperatorActs(db)),
    ...(await auditInstallation(db, settings, now)),
  ];
}

/**
 * Checks whose rows belong to one account each: the nightly audit runs them on the rows of some accounts. A check that
 * follows a reference must find a row of another account as missing, and group by every column that it compares: in a slice
 * PostgreSQL does not know primary keys.
 */
export async function auditAccounts(db: Database, settings: AuditSettings, now: Date): Promise<AuditFinding[]> {
  return [
    ...(await auditShipments(db, settings.timeZone)),
    ...(await auditRecurring(db)),
    ...(await auditDispatch(db)),
    ...(await auditDriverPay(db)),
    ...(await auditInvoices(db)),
    ...(await auditHandovers(db)),
    ...(await auditPayments(db)),
    ...(await auditIncidents(db)),
    ...(await auditWebhooks(db)),
    ...(await auditMessages(db)),
    ...(await auditPersonalData(db, settings, now)),
  ];
}

export async function auditKeys(db: Database): Promise<AuditFinding[]> {
  return [...(await auditIdempotencyKeys(db)), ...(await auditErasedKeys(db))];
}

/** Checks whose cost depends on the work of some days, not on the age of the company. They run every night. */
export async function auditInstallation(db: Database, settings: AuditSettings, now: Date): Promise<AuditFinding[]> {
  return [
    ...(await auditFigures(db, settings.timeZone, now)),
    ...(await auditOtherPersonalData(db, settings, now)),
    ...(await auditPartitions(db)),
  ];
}
