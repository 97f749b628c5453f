import { MAX_PAGE_SIZE, type ShipmentStatus } from '@navette/contract';
import type pg from 'pg';
import { isUuid } from '../../database/uuid.ts';
import { type Arrivals, driversUnderWay, presentArrival } from '../arrival/index.ts';

/** Statuses of the account's own shipments among these ids; other ids are ignored. */
export async function readStatuses(pool: pg.Pool, accountId: string, ids: string, arrivals: Arrivals, now: Date) {
  const wanted = ids.split(',').filter(isUuid).slice(0, MAX_PAGE_SIZE);
  const { rows } = await pool.query<{ id: string; status: ShipmentStatus; updatedAt: Date; driverId: string | null }>({
    name: 'shipment-statuses',
    text: `select id, status, updated_at as "updatedAt", driver_id as "driverId" from shipments where account_id = $1 and id = any($2::uuid[])`,
    values: [accountId, wanted],
  });
  const expected = await arrivals.ofDrivers(driversUnderWay(rows), now);
  return rows.map(({ id, status, updatedAt }) => ({
    ...{ id, status, updatedAt: updatedAt.toISOString() },
    arrival: presentArrival(expected.get(id)),
  }));
}
