import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type InvoicePlatform, PlatformFailure } from '../../adapters/invoice-platform/invoice-platform.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { drawInvoice, readInvoice } from '../invoices/index.ts';

const PER_RUN = 20; // documents that are sent, and as many that are asked about, in a minute
const RUN_MS = 40_000; // the job runs every minute
const FIRST_PAUSE_MS = 60_000; // doubled by each attempt
const LONGEST_PAUSE_MS = 6 * 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time between two questions, by the age of the hand-over. */
const PAUSES: [upToMs: number, pauseMs: number][] = [
  [2 * DAY_MS, HOUR_MS],
  [30 * DAY_MS, DAY_MS],
  [400 * DAY_MS, 7 * DAY_MS],
];
/** Refused, paid, rejected: nothing follows. */
const FINAL_CODES = new Set([210, 212, 213]);

export interface HandoverContext {
  db: Database;
  /** Null when invoices are handed to no platform. */
  platform: InvoicePlatform | null;
  log: FastifyBaseLogger;
}

interface DueDocument {
  accountId: string;
  number: string;
  attempts: number;
}

/**
 * Hands documents of any account to the platform, and asks what became of them. The row exists since the document was issued,
 * and its number is the platform's idempotency key: a worker that dies between the request and its answer repeats the
 * request, and finds the same document.
 */
export async function handOverInvoices({ db, platform, log }: HandoverContext, now: Date): Promise<void> {
  if (!platform) return;
  const isReachable = await forEach(await takeAnyDue(db, now), log, (due) => handOver(db, platform, due, now));
  if (isReachable) await forEach(await takeAnyToAsk(db, now), log, (due) => ask(db, platform, due, now));
}

/** False when the platform did not answer at all: the rest waits for the next run. */
async function forEach<Due extends { number: string }>(
  all: Due[],
  log: FastifyBaseLogger,
  work: (due: Due) => Promise<void>,
): Promise<boolean> {
  const started = performance.now();
  for (const due of all) {
    if (performance.now() - started > RUN_MS) return true;
    try {
      await work(due);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      log.warn({ invoice: due.number, failure: error.code }, 'the invoice platform did not take or tell a document');
      if (!error.code.startsWith('http_') && error.code !== 'unreadable_answer') return false;
    }
  }
  return true;
}

/** The next attempt is set before this one, so that one document that always fails does not keep the others waiting. */
async function takeAnyDue(db: Database, now: Date): Promise<DueDocument[]> {
  const { rows } = await sql<DueDocument>`
    update invoice_handovers set attempts = attempts + 1,
      attempt_at = ${now}::timestamptz + least(${LONGEST_PAUSE_MS}, ${FIRST_PAUSE_MS} * 2 ^ least(attempts, 20)) * interval '1 millisecond'
    where (account_id, number) in (
      select account_id, number from invoice_handovers h where attempt_at <= ${now} and ${servedHere('h.account_id')} order by attempt_at, number limit ${PER_RUN}
      for update skip locked)
    returning account_id as "accountId", number, attempts`.execute(db);
  return rows.toSorted((a, b) => (a.number < b.number ? -1 : 1));
}

async function handOver(db: Database, platform: InvoicePlatform, due: DueDocument, now: Date): Promise<void> {
  const { accountId, number } = due;
  const invoice = await readInvoice(db, accountId, number);
  if (!invoice) throw new Error(`no invoice ${number}`);
  const row = () =>
    db
      .updateTable('invoice_handovers')
      .where('account_id', '=', accountId)
      .where('number', '=', number)
      .where('state', '=', 'waiting');
  try {
    const platformId = await platform.deposit({ number, kind: invoice.kind, pdf: await drawInvoice(invoice) });
    const done = {
      state: 'handed_over',
      platform_id: platformId,
      handed_over_at: now,
      attempt_at: null,
      failure: null,
    };
    await row()
      .set({ ...done, ask_at: now })
      .execute();
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    const state = error.isFinal ? { state: 'failed', attempt_at: null } : {};
    await row()
      .set({ ...state, failure: error.code })
      .execute();
    throw error;
  }
}

interface AskedDocument {
  accountId: string;
  number: string;
  platformId: string;
  handedOverAt: Date;
}

async function takeAnyToAsk(db: Database, now: Date): Promise<AskedDocument[]> {
  const { rows } = await sql<AskedDocument>`
    update invoice_handovers set ask_at = ${new Date(now.getTime() + HOUR_MS)}
    where (account_id, number) in (
      select account_id, number from invoice_handovers h where ask_at <= ${now} and ${servedHere('h.account_id')} order by ask_at, number limit ${PER_RUN}
      for update skip locked)
    returning account_id as "accountId", number, platform_id as "platformId", handed_over_at as "handedOverAt"`.execute(
    db,
  );
  return rows;
}

async function ask(db: Database, platform: InvoicePlatform, asked: AskedDocument, now: Date): Promise<void> {
  const { accountId, number, platformId, handedOverAt } = asked;
  const statuses = await platform.listStatuses(platformId);
  const age = now.getTime() - handedOverAt.getTime();
  const pause = PAUSES.find(([upTo]) => age < upTo)?.[1];
  const isOver = pause === undefined || statuses.some(({ code }) => FINAL_CODES.has(code));
  const askAt = isOver ? null : new Date(now.getTime() + pause);
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('invoice_handovers')
      .set({ ask_at: askAt })
      .where('account_id', '=', accountId)
      .where('number', '=', number)
      .execute();
    if (statuses.length === 0) return;
    await tx
      .insertInto('invoice_statuses')
      .values(statuses.map((each) => ({ account_id: accountId, number, ...each, received_at: now })))
      .onConflict((conflict) => conflict.columns(['account_id', 'number', 'reference']).doNothing())
      .execute();
  });
}
