import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { addCredit } from '../ledger/index.ts';
import {
  readDoneAloneToday,
  recordOperatorAct,
  requireStaff,
  type SignedInStaff,
  type StaffActor,
} from '../staff/index.ts';
import { findApproval, insertApproval } from './approval-rows.ts';
import type { ApprovalRules } from './approval-rules.ts';

interface CreditRequest {
  accountId: string;
  amountCents: number;
  reason: string;
  /** Chosen by the app. The row with this id makes a repeated request find the first one. */
  requestId: string;
}

/**
 * Adds a credit, or above the limit a request that a second person decides. The same request sent again changes nothing
 * and gets the same result. Returns the id of the request that waits, or null.
 */
export async function creditAccount(
  { db, creditLimitCents, timeZone }: { db: Database } & ApprovalRules,
  staff: SignedInStaff,
  request: CreditRequest,
  now: Date,
): Promise<string | null> {
  const { accountId, amountCents, reason, requestId } = request;
  if (!isUuid(accountId)) return refuseAsNotFound();
  if (!isUuid(requestId)) return refuseNotPossible('request_id_invalid');
  return db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'money', now);
    const account = (await lockAccount(tx, accountId)) ?? refuseAsNotFound();
    const { creditedCents } = await readDoneAloneToday(tx, actor.id, timeZone, now);
    const isAboveLimit = creditedCents + amountCents > creditLimitCents;
    const isNew = await insertApproval(tx, actor, {
      id: requestId,
      act: 'account.credited',
      accountId,
      title: account.name,
      amountCents,
      reason,
      state: isAboveLimit ? 'waiting' : 'not_needed',
      now,
    });
    if (!isNew) return resultOfRepeated(tx, actor, request);
    const subject = { type: 'account', id: accountId, title: account.name };
    if (isAboveLimit) {
      const details = { approval: requestId, act: 'account.credited', amountCents };
      await recordOperatorAct(tx, actor, { act: 'approval.requested', subject, reason, details }, now);
      return requestId;
    }
    await applyCredit(tx, actor, { subject, amountCents, reason, details: {} }, now);
    return null;
  });
}

/** The account comes first in the lock order of everything that writes its ledger. */
export const lockAccount = (tx: Tx, accountId: string) =>
  tx
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .where('live_account_id', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** A request id belongs to one request: with other content it is a mistake of the caller. */
async function resultOfRepeated(tx: Tx, actor: StaffActor, request: CreditRequest): Promise<string | null> {
  const first = await findApproval(tx, request.requestId);
  const isSame =
    first?.accountId === request.accountId &&
    first.amountCents === request.amountCents &&
    first.requestedBy === actor.id;
  if (!isSame) return refuseNotPossible('request_id_taken');
  return first.state === 'waiting' ? first.id : null;
}

interface AppliedCredit {
  subject: { type: string; id: string; title: string };
  amountCents: number;
  reason: string;
  details: Record<string, string>;
}

export async function applyCredit(
  tx: Tx,
  actor: StaffActor,
  { subject, amountCents, reason, details }: AppliedCredit,
  now: Date,
): Promise<void> {
  const credit = (await addCredit(tx, subject.id, amountCents, reason)) ?? refuseAsNotFound();
  const recorded = { ...details, amountCents, entry: credit.entry };
  await recordOperatorAct(tx, actor, { act: 'account.credited', subject, reason, details: recorded }, now);
}
