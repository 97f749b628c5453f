import type pg from 'pg';
import { isUuid } from '../../database/uuid.ts';

/** Ids of shipments that an import created, in the order of its file. None once its lines are deleted. */
export async function listImportedIds(
  pool: pg.Pool,
  accountId: string,
  importId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<string[]> {
  if (!isUuid(importId)) return [];
  const { rows } = await pool.query<{ id: string }>(
    `select shipment_id as id from import_lines
     where account_id = $1 and import_id = $2 and shipment_id is not null
     order by line offset $3 limit $4`,
    [accountId, importId, offset, limit],
  );
  return rows.map(({ id }) => id);
}
