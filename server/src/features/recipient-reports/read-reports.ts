import type { RecipientReport, ReportKind } from '@navette/contract';
import type { Database } from '../../database/database.ts';

/** The reports about a shipment, oldest first. */
export async function listShipmentReports(
  db: Database,
  accountId: string,
  shipmentId: string,
): Promise<RecipientReport[]> {
  const rows = await db
    .selectFrom('recipient_reports')
    .select(['id', 'kind', 'message', 'reported_at', 'closed_at', 'outcome'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .orderBy('id')
    .execute();
  return rows.map(({ reported_at, closed_at, kind, ...report }) => ({
    ...report,
    kind: kind as ReportKind,
    reportedAt: reported_at.toISOString(),
    closedAt: closed_at?.toISOString() ?? null,
  }));
}

/** Open reports of all live accounts, oldest first. Without the message, which may name people: not every role reads it. */
export async function listAnyOpenReports(db: Database, limit: number) {
  return db
    .selectFrom('recipient_reports as r')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'r.account_id').onRef('s.id', '=', 'r.shipment_id'),
    )
    .innerJoin('accounts as a', (join) => join.onRef('a.id', '=', 'r.account_id').on('a.live_account_id', 'is', null))
    .select(['s.id as shipmentId', 's.reference_number as reference', 'a.id as accountId', 'a.name as account'])
    .select(['r.kind', 'r.reported_at as reportedAt'])
    .where('r.closed_at', 'is', null)
    .orderBy('r.reported_at')
    .limit(limit)
    .execute();
}
