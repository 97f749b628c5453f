import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/**
 * Hands a document over with the next run of the job: one that the platform refused, or one from before the platform was
 * set. False when it waits or was handed over already.
 */
export async function sendAgain(
  db: Database,
  { accountId, number }: { accountId: string; number: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into invoice_handovers as h (account_id, number, state, attempts, attempt_at, created_at)
    values (${accountId}, ${number}, 'waiting', 0, ${now}, ${now})
    on conflict (account_id, number) do update
    set state = 'waiting', attempts = 0, attempt_at = ${now}, failure = null where h.state = 'failed'
    returning 1`.execute(db);
  return rows.length > 0;
}
