import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { notify } from '../notifications/index.ts';

/** Days before the expiry, the first reminder first. */
const REMINDERS = [14, 3];
const AT_ONCE = 200;

/**
 * Reminds owners and developers of keys that expire soon. The mark on the key commits with the jobs that send the mails, so
 * each reminder is sent once, whatever dies. A key that was created with less time left gets only the later one.
 */
export async function remindExpiringKeys(db: Database, jobs: JobSender, now: Date): Promise<number> {
  let reminded = 0;
  for (const days of REMINDERS) {
    for (let found = AT_ONCE; found === AT_ONCE; reminded += found) {
      found = await db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ id: string; accountId: string; title: string }>`
          update api_keys k set reminded_days = ${days}
          where k.id in (
            select key.id from api_keys key join accounts a on a.id = key.account_id
            where key.expires_at is not null and key.revoked_at is null and a.closed_at is null and a.moved_to is null and a.live_account_id is null
              and key.expires_at > ${now} and key.expires_at <= ${now}::timestamptz + make_interval(days => ${days})
              and key.expires_at > ${now}::timestamptz + make_interval(days => ${REMINDERS.find((later) => later < days) ?? 0})
              and key.created_at < key.expires_at - make_interval(days => ${days})
              and coalesce(key.reminded_days > ${days}, true)
            order by key.id limit ${AT_ONCE} for no key update of key skip locked)
          returning k.id, k.account_id as "accountId", coalesce(k.name, '…' || k.hint) as title`.execute(tx);
        for (const { id, accountId, title } of rows) {
          const cause = { kind: 'key-expiring', once: `${id} ${days}`, title, target: null, about: id } as const;
          await notify(tx, jobs, accountId, cause, now);
        }
        return rows.length;
      });
    }
  }
  return reminded;
}
