import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { emptyTwin } from './empty-twin.ts';

const IDLE_DAYS = 30;

/** A twin is in use while a key of it is used, a shipment is created, or a member looks at it in the dashboard. */
export async function emptyIdleTwins(db: Database, log: FastifyBaseLogger, now: Date): Promise<number> {
  const idleSince = new Date(now.getTime() - IDLE_DAYS * 86_400_000);
  const { rows } = await sql<{ id: string }>`
    select a.id from accounts a join account_counters c on c.account_id = a.id
    where a.live_account_id is not null and a.moved_to is null and c.last_shipment > 0 and c.last_shipment_at - a.clock_ahead_ms * interval '1 millisecond' < ${idleSince}
      and not exists (select from api_keys k where k.account_id = a.id and k.last_used_at >= ${idleSince})
      and not exists (select from member_sessions s where s.test_account_id = a.id and s.last_seen_at >= ${idleSince})
    order by a.id`.execute(db);
  for (const { id } of rows) {
    const shipments = await emptyTwin(db, id, now);
    log.info({ account: id, shipments }, 'idle test twin emptied');
  }
  return rows.length;
}
