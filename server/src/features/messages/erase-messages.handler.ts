import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

const BATCH = 5_000; // rows locked at a time

/**
 * Erases the contacts and texts of old messages. The rows stay, so that no message is sent again. Deletes old daily SMS
 * counts as well.
 */
export async function eraseMessages(db: Database, retentionDays: number, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000);
  await sql`delete from sms_days d where day < ${oldest}::date and ${servedHere('d.account_id')}`.execute(db);
  let erased = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      update messages set recipient = null, subject = null, body = null, html = null, erased_at = ${now},
        status = case when status in ('pending', 'sending') then 'failed' else status end
      where (account_id, id) in (
        select account_id, id from messages m where erased_at is null and created_at < ${oldest}
          and ${servedHere('m.account_id')}
        order by created_at limit ${BATCH} for update skip locked
      )`.execute(db);
    erased += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < BATCH) return erased;
  }
}
