import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '../../database/database.ts';
import { joinTransaction } from '../../database/join-transaction.ts';
import { refuseNotPossible } from '../../refusals/console-refusal.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import {
  confirmAnyDelivery,
  findAnyShipment,
  lockShipment,
  type OperatorContext,
  type OperatorResult,
  requireVersion,
} from '../dispatch/index.ts';
import { transition } from '../shipments/index.ts';
import {
  readDoneAloneToday,
  recordOperatorAct,
  requireStaff,
  type SignedInStaff,
  type StaffActor,
} from '../staff/index.ts';
import { findWaitingForShipment, insertApproval } from './approval-rows.ts';
import type { ApprovalRules } from './approval-rules.ts';

interface ConfirmationRequest {
  shipmentId: string;
  reason: string;
  /** The version of the shipment that the person decided on. */
  version: string;
}

type Context = Omit<OperatorContext, 'authorize' | 'version' | 'details'>;

/**
 * Confirms a delivery without the recipient's code, or above the person's limit adds a request that a second person
 * decides. The person's row is locked, so concurrent requests cannot exceed the limit. Returns the id of the request that
 * waits, or null.
 */
export async function confirmDelivery(
  context: Context & { rules: ApprovalRules },
  staff: SignedInStaff,
  { shipmentId, reason, version }: ConfirmationRequest,
): Promise<string | null> {
  const { db, now, rules } = context;
  const { accountId, id, referenceNumber: title } = (await findAnyShipment(db, shipmentId)) ?? refuseAsNotFound();
  return db.transaction().execute(async (tx) => {
    const actor = await requireStaff(tx, staff, 'dispatch', now);
    const { confirmations } = await readDoneAloneToday(tx, actor.id, rules.timeZone, now);
    if (confirmations < rules.confirmationsPerDay) {
      await applyConfirmation(tx, context, actor, { shipmentId: id, reason, version });
      return null;
    }
    const shipment = (await lockShipment(tx, accountId, id)) ?? refuseAsNotFound();
    const waiting = await findWaitingForShipment(tx, id); // every request is inserted with the shipment locked
    if (waiting) return waiting.id;
    await requireVersion(tx, shipment, version);
    if (!transition(shipment.status, 'deliver', 'http')) refuseNotPossible('not_deliverable');
    const request = { id: randomUUIDv7(), act: 'shipment.delivery_confirmed' as const, accountId, title, reason };
    await insertApproval(tx, actor, { ...request, shipment: { id, version }, state: 'waiting', now });
    const details = { approval: request.id, act: request.act, version };
    const subject = { type: 'shipment', id, title };
    await recordOperatorAct(tx, actor, { act: 'approval.requested', subject, reason, details }, now);
    return request.id;
  });
}

export async function applyConfirmation(
  tx: Tx,
  context: Context,
  actor: StaffActor,
  { shipmentId, reason, version, details }: ConfirmationRequest & { details?: Record<string, string> },
): Promise<void> {
  const joined = {
    ...context,
    db: joinTransaction(tx),
    authorize: async () => actor,
    version,
    ...(details ? { details } : {}),
  };
  refuseUnlessDone(await confirmAnyDelivery(joined, shipmentId, reason));
}

function refuseUnlessDone(result: OperatorResult): void {
  if (result.outcome === 'unknown') refuseAsNotFound();
  if (result.outcome === 'not-allowed') refuseNotPossible('not_deliverable');
}
