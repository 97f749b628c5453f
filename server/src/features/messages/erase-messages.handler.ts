import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

const AT_ONCE = 5_000; // rows locked at a time

/** Forgets whom old messages went to and what they said. The rows stay: they keep a message from being sent again. */
export async function eraseMessages(db: Database, retentionDays: number, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - retentionDays * 86_400_000);
  let erased = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      update messages set recipient = null, subject = null, body = null, html = null, erased_at = ${now},
        status = case when status in ('pending', 'sending') then 'failed' else status end
      where (account_id, id) in (
        select account_id, id from messages where erased_at is null and created_at < ${oldest}
        order by created_at limit ${AT_ONCE} for update skip locked
      )`.execute(db);
    erased += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < AT_ONCE) return erased;
  }
}
