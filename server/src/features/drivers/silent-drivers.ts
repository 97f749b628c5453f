import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

export interface SilentDriver {
  driverId: string;
  driver: string;
  phone: string;
  /** The last request of the driver's phone that was noted: every ten minutes at most. */
  lastSeenAt: Date;
  /** Parcels that the driver has picked up. */
  parcels: number;
}

const DAY_MS = 86_400_000; // by then the parcels are late for their slot or day, which is listed by itself

/**
 * Drivers who carry parcels and whose phone sent nothing since `before`, neither a position nor a command. The time is a
 * column of their sessions: positions are in Redis, and its restart must not make every driver silent.
 */
export async function listSilentDrivers(
  db: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<SilentDriver[]> {
  const { rows } = await sql<SilentDriver>`
    with idle as (
      select driver_id, max(last_used_at) as last_seen_at from driver_sessions
      where last_used_at <= ${before} and last_used_at > ${new Date(before.getTime() - DAY_MS)}
      group by driver_id
    )
    select d.id as "driverId", d.first_name || ' ' || d.last_name as driver, d.phone_number as phone,
           idle.last_seen_at as "lastSeenAt", carried.parcels
    from idle
    join drivers d on d.id = idle.driver_id and d.test_account_id is null
    cross join lateral (
      select count(*) as parcels from shipments s
      where s.driver_id = idle.driver_id and s.status in ('picked_up', 'in_transit') and s.returned_at is null
    ) carried
    where carried.parcels > 0 and not exists (
      select from driver_sessions other
      where other.driver_id = idle.driver_id and other.closed_at is null and other.last_used_at > ${before})
    order by idle.last_seen_at limit ${limit}`.execute(db);
  return rows;
}
