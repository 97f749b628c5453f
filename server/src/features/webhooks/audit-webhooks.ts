import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

/** Invariants of webhooks. Skips the latest minute, which is still being worked on. Reads only. */
export function auditWebhooks(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'every event has a delivery for each webhook subscribed to it, or a job that will add it': sql`
      select e.id || ' for ' || w.id as broken
      from events e
      join webhooks w on w.account_id = e.account_id and w.is_active and e.type = any(w.events)
        and e.created_at > w.updated_at
      join accounts a on a.id = e.account_id and a.clock_ahead_ms = 0 and a.moved_to is null -- events of a twin that is ahead have its time
      left join webhook_deliveries d on (d.account_id, d.event_id, d.webhook_id) = (e.account_id, e.id, w.id)
      where d.event_id is null and e.body is not null -- the deliveries of erased events are deleted
        and e.created_at between now() - interval '29 days' and now() - interval '1 minute' -- older deliveries are purged
        and not exists (select from pgboss.job j
          where j.name in ('follow-change', 'add-held-delivery') and j.state < 'completed' and j.data->>'eventId' = e.id::text)`,
    'a pending delivery has a `deliver-webhooks` job that is queued or active': sql`
      select d.event_id || ' for ' || d.webhook_id as broken
      from webhook_deliveries d
      where d.status = 'pending' and d.created_at < now() - interval '2 minutes' and ${servedHere('d.account_id')}
        and not exists (select from pgboss.job j
          where j.name = 'deliver-webhooks' and j.state < 'completed' and j.singleton_key = d.webhook_id::text)`,
    'a running resend has a `resend-events` job that is queued or active': sql`
      select r.id::text as broken
      from webhook_resends r
      where r.state = 'running' and r.created_at < now() - interval '2 minutes' and ${servedHere('r.account_id')}
        and not exists (select from pgboss.job j
          where j.name = 'resend-events' and j.state < 'completed' and j.data->>'resendId' = r.id::text)`,
    'a settled delivery has a log entry for every attempt': sql`
      select d.event_id || ' for ' || d.webhook_id as broken
      from webhook_deliveries d
      left join webhook_attempts a
        on (a.account_id, a.event_id, a.webhook_id, a.resend) = (d.account_id, d.event_id, d.webhook_id, d.resends)
      where d.status <> 'pending' and d.settled_at < now() - interval '1 minute'
      group by d.account_id, d.event_id, d.webhook_id, d.attempts, d.recorded
      having count(a.attempt) <> d.attempts or d.recorded <> d.attempts`,
    'a delivered delivery has an attempt with a 2xx response, a dropped one has three without': sql`
      select d.event_id || ' for ' || d.webhook_id as broken
      from webhook_deliveries d
      left join webhook_attempts a
        on (a.account_id, a.event_id, a.webhook_id, a.resend) = (d.account_id, d.event_id, d.webhook_id, d.resends)
      where d.status in ('delivered', 'dropped')
      group by d.account_id, d.event_id, d.webhook_id, d.status, d.attempts
      having (d.status = 'delivered') <> coalesce(bool_or(a.status between 200 and 299), false)
        or (d.status = 'dropped' and d.attempts <> 3)`,
  });
}
