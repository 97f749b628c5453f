import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { type AuthorizeOperator, recordOperatorAct } from '../staff/index.ts';

/** Closes the open report about a shipment of any account. The merchant reads the outcome. */
export async function closeAnyReport(
  db: Database,
  authorize: AuthorizeOperator,
  shipmentId: string,
  outcome: string,
  now: Date,
): Promise<'closed' | 'unknown' | 'none-open'> {
  if (!isUuid(shipmentId)) return 'unknown';
  return db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const shipment = await tx
      .selectFrom('shipments as s')
      .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 's.account_id').on('a.live_account_id', 'is', null))
      .select(['s.account_id as accountId', 's.reference_number as title'])
      .where('s.id', '=', shipmentId)
      .executeTakeFirst();
    if (!shipment) return 'unknown';
    const { accountId, title } = shipment;
    const closed = await tx
      .updateTable('recipient_reports')
      .set({ closed_at: now, outcome })
      .where('account_id', '=', accountId)
      .where('shipment_id', '=', shipmentId)
      .where('closed_at', 'is', null)
      .returning('kind')
      .executeTakeFirst();
    if (!closed) return 'none-open';
    const subject = { type: 'shipment', id: shipmentId, title };
    const details = { kind: closed.kind };
    await recordOperatorAct(tx, actor, { act: 'report.closed', subject, reason: outcome, details }, now);
    return 'closed';
  });
}
