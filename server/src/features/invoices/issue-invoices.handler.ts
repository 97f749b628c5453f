import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type InvoicePage, issueInvoicesJob } from '../../jobs/definitions.ts';
import { lastEndedMonth } from './close-month.ts';
import { issueAnyInvoices } from './issue-invoices.ts';
import { type IssuerConfig, isIssuer, isSwitchedOff, readIssuer } from './issuer.ts';

export interface IssuingContext {
  db: Database;
  jobs: JobSender;
  config: IssuerConfig;
  log: FastifyBaseLogger;
}

/**
 * Every night: invoices of the months that have ended, one page of accounts per job. A job that dies is repeated, and finds
 * the accounts that are left.
 */
export async function issueInvoices(context: IssuingContext, page: InvoicePage | null, now: Date): Promise<void> {
  const { db, jobs, config, log } = context;
  if (isSwitchedOff(config)) return;
  const issuer = readIssuer(config);
  if (!isIssuer(issuer)) {
    log.error({ missing: issuer.missing }, 'no invoices are issued: settings are missing');
    return;
  }
  const until = lastEndedMonth(now, issuer.timeZone);
  const { numbers, failures, next } = await issueAnyInvoices(db, issuer, { until, now, after: page?.after });
  if (numbers.length > 0) log.info({ issued: numbers.length, until }, 'invoices issued');
  for (const { accountId, error } of failures) log.error({ accountId, err: error }, 'invoices of an account failed');
  if (next) await db.transaction().execute((tx) => jobs.send(tx, issueInvoicesJob, { after: next }));
}
