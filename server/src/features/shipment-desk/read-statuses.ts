import { MAX_PAGE_SIZE, type ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { isUuid } from '../../database/uuid.ts';

/** Statuses of the account's own shipments among these ids; other ids are ignored. */
export async function readStatuses(pool: pg.Pool, accountId: string, ids: string) {
  const wanted = ids.split(',').filter(isUuid).slice(0, MAX_PAGE_SIZE);
  const { rows } = await pool.query<{ id: string; status: ShipmentStatus; updatedAt: Date }>({
    name: 'shipment-statuses',
    text: `select id, status, updated_at as "updatedAt" from shipments where account_id = $1 and id = any($2::uuid[])`,
    values: [accountId, wanted],
  });
  return rows.map(({ id, status, updatedAt }) => ({ id, status, updatedAt: updatedAt.toISOString() }));
}
