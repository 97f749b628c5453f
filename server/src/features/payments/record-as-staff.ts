import { sql } from 'kysely';
import { localDay, startOfDateFilter } from '../../calendar/local-calendar.ts';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseConsole, refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { toEuros } from '../ledger/index.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff } from '../staff/index.ts';
import { creditTransfer, findAnyPayer, isInFuture, recordTransfer } from './record-transfer.ts';
import { creditableCents, creditReviewed, describeReview, lockAnyReviewed, rejectReviewed } from './review-rows.ts';

export interface TransferRules {
  /** The sum that one person may record on one local day without a second person. */
  limitCents: number;
  timeZone: string;
}

interface TransferRequest {
  payer: string;
  amountCents: number;
  bankId: string;
  receivedOn: string;
}

/** Records a transfer in the name of a staff member. Returns the payment's id. */
export async function recordTransferAsStaff(
  db: Database,
  staff: SignedInStaff,
  { payer, ...transfer }: TransferRequest,
  { limitCents, timeZone }: TransferRules,
  now: Date,
): Promise<string> {
  if (isInFuture(transfer.receivedOn, timeZone, now)) return refuseNotPossible('received_in_future');
  return db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'money', now);
    const account = (await findAnyPayer(tx, payer, true)) ?? refuseNotPossible('payer_unknown');
    const aloneCents = await sumDecidedAlone(tx, actor.id, timeZone, now);
    const mustWait = aloneCents + transfer.amountCents > limitCents;
    const recording = { recordedBy: actor.id, mustWait, now };
    const done = await recordTransfer(tx, { accountId: account.id, ...transfer }, recording);
    if (done.outcome === 'known') {
      const { recordedAt, account: merchant, amountCents } = done;
      return refuseConsole('TRANSFER_KNOWN', {
        recordedAt: recordedAt.toISOString(),
        merchant,
        amount: toEuros(amountCents),
      });
    }
    const act = mustWait ? 'payment.proposed' : 'payment.recorded';
    const { amountCents, bankId, receivedOn } = transfer;
    const details = { payment: done.paymentId, amountCents, bankId, receivedOn };
    await recordOperatorAct(tx, actor, { act, subject: subjectOf(account), details }, now);
    return done.paymentId;
  });
}

/**
 * Credits or rejects a transfer or a reviewed payment that waits, as the second person. Of two who decide at once, one is
 * refused.
 */
export async function decideWaiting(
  db: Database,
  staff: SignedInStaff,
  { id, approve }: { id: string; approve: boolean },
  now: Date,
): Promise<void> {
  if (!isUuid(id)) return refuseAsNotFound();
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'money', now);
    const waiting = (await lockWaiting(tx, id)) ?? refuseAsNotFound();
    if (waiting.status !== 'waiting') return refuseConsole('CHANGED_MEANWHILE', {});
    if (waiting.recordedBy === actor.id) refuseConsole('OWN_REQUEST');
    const acted = await (waiting.bankId === null
      ? decideReviewed(tx, id, approve, actor.id, now)
      : decideTransfer(tx, { ...waiting, bankId: waiting.bankId }, approve, actor.id, now));
    const details = { ...acted.details, requestedBy: waiting.recordedBy };
    const subject = subjectOf({ id: waiting.accountId, name: waiting.account });
    await recordOperatorAct(tx, actor, { act: acted.act, subject, details }, now);
  });
}

async function decideTransfer(
  tx: Tx,
  { id, accountId, amountCents, bankId }: WaitingPayment & { bankId: string },
  approve: boolean,
  decidedBy: string,
  now: Date,
) {
  const state = approve ? { status: 'succeeded' } : { status: 'rejected', bank_id: null };
  await tx
    .updateTable('payments')
    .set({ ...state, decided_by: decidedBy, updated_at: now })
    .where('id', '=', id)
    .execute();
  if (approve) await creditTransfer(tx, { id, accountId, amountCents, bankId }, now);
  const act = approve ? ('payment.recorded' as const) : ('payment.rejected' as const);
  return { act, details: { payment: id, amountCents, bankId } };
}

async function decideReviewed(tx: Tx, id: string, approve: boolean, decidedBy: string, now: Date) {
  const payment = (await lockAnyReviewed(tx, id)) ?? refuseAsNotFound();
  const cents = creditableCents(payment) ?? refuseNotPossible('not_in_euros');
  if (approve) await creditReviewed(tx, payment, cents, { decided_by: decidedBy }, now);
  else await rejectReviewed(tx, payment, decidedBy, now);
  const act = approve ? ('payment.review_settled' as const) : ('payment.review_rejected' as const);
  return { act, details: describeReview(payment) };
}

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'account', id, title: name });

interface WaitingPayment {
  id: string;
  accountId: string;
  account: string;
  status: string;
  amountCents: number;
  /** Null for a payment online, which was reviewed. */
  bankId: string | null;
  recordedBy: string | null;
}

async function lockWaiting(tx: Tx, id: string): Promise<WaitingPayment | null> {
  const { rows } = await sql<WaitingPayment>`
    select p.id, p.account_id as "accountId", a.name as account, p.status, p.amount_cents as "amountCents",
      p.bank_id as "bankId", p.recorded_by as "recordedBy"
    from payments p join accounts a on a.id = p.account_id
    where p.id = ${id} for update of p`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Transfers and reviewed payments that a person credited since local midnight without a second one. Reliable while the
 * person's row is locked.
 */
export async function sumDecidedAlone(tx: Tx, staffId: string, timeZone: string, now: Date): Promise<number> {
  const midnight = startOfDateFilter(localDay(now, timeZone), timeZone);
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(case when reviewed_at is null then amount_cents else received_cents end), 0)::bigint as cents
    from payments
    where (created_at >= ${midnight} or reviewed_at >= ${midnight}) and coalesce(reviewed_at, created_at) >= ${midnight}
      and recorded_by = ${staffId} and status = 'succeeded' and decided_by is null`.execute(tx);
  return rows[0]?.cents ?? 0;
}
