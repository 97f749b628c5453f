import type { ApprovableAct } from '@navette/contract';
import { sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { StaffActor } from '../staff/index.ts';

interface NewApproval {
  id: string;
  act: ApprovableAct;
  accountId: string;
  shipment?: { id: string; version: string };
  title: string;
  amountCents?: number;
  reason: string;
  state: 'waiting' | 'not_needed';
  now: Date;
}

/** False if there is a row with this id. */
export async function insertApproval(tx: Tx, actor: StaffActor, approval: NewApproval): Promise<boolean> {
  const { id, act, accountId, shipment, title, amountCents, reason, state, now } = approval;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('approvals')
    .values({
      id,
      act,
      account_id: accountId,
      shipment_id: shipment?.id ?? null,
      shipment_version: shipment?.version ?? null,
      subject_title: title,
      amount_cents: amountCents ?? null,
      reason,
      requested_by: actor.id,
      requested_by_name: actor.name,
      requested_at: now,
      state,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

const select = (db: Database | Tx) =>
  db
    .selectFrom('approvals')
    .select(['id', 'act', 'account_id as accountId', 'shipment_id as shipmentId', 'subject_title as title'])
    .select(['shipment_version as shipmentVersion', 'amount_cents as amountCents', 'reason', 'state'])
    .select(['requested_by as requestedBy', 'requested_by_name as requestedByName', 'requested_at as requestedAt'])
    .select(['decided_by_name as decidedByName', 'decided_at as decidedAt']);

export type ApprovalRow = NonNullable<Awaited<ReturnType<typeof findApproval>>>;

export async function findApproval(db: Database | Tx, id: string) {
  return isUuid(id) ? select(db).where('id', '=', id).executeTakeFirst() : undefined;
}

/** Of two people who decide at once, the second one sees what the first decided. */
export const lockApproval = (tx: Tx, id: string) => select(tx).where('id', '=', id).forUpdate().executeTakeFirst();

export const findWaitingForShipment = (tx: Tx, shipmentId: string) =>
  select(tx).where('shipment_id', '=', shipmentId).where('state', '=', sql.lit('waiting')).executeTakeFirst();

const MOST_LISTED = 500;

/** Oldest first, of any account. */
export const listAnyWaiting = (db: Database) =>
  select(db)
    .where('state', '=', sql.lit('waiting')) // uses the index approvals_waiting
    .orderBy('requested_at')
    .limit(MOST_LISTED)
    .execute();

export async function decide(
  tx: Tx,
  id: string,
  actor: StaffActor,
  state: 'approved' | 'declined',
  now: Date,
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ state, decided_by: actor.id, decided_by_name: actor.name, decided_at: now })
    .where('id', '=', id)
    .execute();
}
