import type { DriverDocumentKind } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

const DAY = sql<string>`to_char(expires_on, 'YYYY-MM-DD')`;

export async function listDriverDocuments(db: Database, driverId: string) {
  const rows = await db
    .selectFrom('driver_documents')
    .select(['kind', 'number', 'version', 'changed_at as changedAt', 'changed_by as changedBy'])
    .select(DAY.$castTo<string | null>().as('expiresOn'))
    .where('driver_id', '=', driverId)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, changedAt, ...row }) => ({
    ...row,
    kind: kind as DriverDocumentKind, // a check constraint guarantees it
    changedAt: changedAt.toISOString(),
  }));
}

export interface ExpiringDocument {
  driverId: string;
  driver: string;
  kind: string;
  /** The last day, YYYY-MM-DD. */
  expiresOn: string;
}

/** Papers of active drivers that expire until this day, or have expired; the first to expire come first. */
export async function listExpiringDocuments(
  db: Database,
  { until, limit }: { until: Date; limit: number },
): Promise<ExpiringDocument[]> {
  const { rows } = await sql<ExpiringDocument>`
    select d.driver_id as "driverId", p.first_name || ' ' || p.last_name as driver, d.kind, ${DAY} as "expiresOn"
    from driver_documents d join drivers p on p.id = d.driver_id
    where d.expires_on <= ${until.toISOString().slice(0, 10)}::date and p.disabled_at is null
    order by d.expires_on limit ${limit}`.execute(db);
  return rows;
}
