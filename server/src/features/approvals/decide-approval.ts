import { APPROVAL_NEEDS, type ApprovableAct } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import { refuseConsole } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import type { OperatorContext } from '../dispatch/index.ts';
import { recordOperatorAct, requireStaff, type SignedInStaff, type StaffActor } from '../staff/index.ts';
import { type ApprovalRow, decide, findApproval, lockApproval } from './approval-rows.ts';
import { applyConfirmation } from './confirm-delivery.ts';
import { applyCredit, lockAccount } from './credit-account.ts';

/**
 * Applies or declines a request as the second person, never as the one who asked. The request's row is locked: of two
 * people who approve at once one applies it, and the other is refused. Lock order: staff, request, then as for the act.
 */
export async function decideApproval(
  context: Omit<OperatorContext, 'authorize' | 'version'>,
  staff: SignedInStaff,
  { id, approve, reason }: { id: string; approve: boolean; reason: string | null },
): Promise<void> {
  const { db, now } = context;
  const asked = (await findApproval(db, id)) ?? refuseAsNotFound();
  await db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, APPROVAL_NEEDS[asked.act as ApprovableAct], now);
    const approval = (await lockApproval(tx, asked.id)) ?? refuseAsNotFound();
    if (approval.requestedBy === actor.id) refuseConsole('OWN_REQUEST');
    if (approval.state !== 'waiting') refuseDecided(approval);
    await decide(tx, approval.id, actor, approve ? 'approved' : 'declined', now);
    if (approve) return apply(tx, context, actor, approval);
    const details = { approval: approval.id, act: approval.act, requestedBy: approval.requestedByName };
    await recordOperatorAct(
      tx,
      actor,
      { act: 'approval.declined', subject: subjectOf(approval), reason, details },
      now,
    );
  });
}

async function apply(
  tx: Tx,
  context: Omit<OperatorContext, 'authorize' | 'version'>,
  actor: StaffActor,
  approval: ApprovalRow,
): Promise<void> {
  const { accountId, shipmentId, shipmentVersion, amountCents, reason } = approval;
  const details = { approval: approval.id, requestedBy: approval.requestedByName };
  if (shipmentId !== null) {
    await applyConfirmation(tx, context, actor, { shipmentId, reason, version: shipmentVersion ?? '', details });
    return;
  }
  if (!(await lockAccount(tx, accountId))) refuseAsNotFound();
  const credit = { subject: subjectOf(approval), amountCents: amountCents ?? 0, reason, details };
  await applyCredit(tx, actor, credit, context.now);
}

const subjectOf = ({ accountId, shipmentId, title }: ApprovalRow) =>
  shipmentId === null ? { type: 'account', id: accountId, title } : { type: 'shipment', id: shipmentId, title };

function refuseDecided({ state, decidedByName, decidedAt }: ApprovalRow): never {
  refuseConsole('CHANGED_MEANWHILE', {
    change: `approval.${state}`,
    ...(decidedByName ? { by: decidedByName } : {}),
    ...(decidedAt ? { at: decidedAt.toISOString() } : {}),
  });
}
