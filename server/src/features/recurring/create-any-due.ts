import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { createDueOccurrences, type RecurringContext } from './create-due.ts';

/** Creates what is due in all schedules. One that fails does not stop the others; the job then fails, and is logged. */
export async function createAnyDue(context: RecurringContext, now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (const { accountId, id } of await listAnyDue(context.db, now)) {
    try {
      await createDueOccurrences(context, accountId, id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'recurring shipments could not be created');
}

/** Times are those of the account's clock, which runs ahead in test twins only. */
async function listAnyDue(db: Database, now: Date): Promise<{ accountId: string; id: string }[]> {
  const { rows } = await sql<{ accountId: string; id: string }>`
    select s.account_id as "accountId", s.id from (
      select account_id, id, due_at from recurring_schedules where due_at <= ${now}
      union
      select s.account_id, s.id, s.due_at from accounts a join recurring_schedules s on s.account_id = a.id
      where a.live_account_id is not null and s.due_at <= ${now}::timestamptz + make_interval(secs => a.clock_ahead_ms / 1000.0)
    ) s join accounts a on a.id = s.account_id and a.closed_at is null and a.moved_to is null
    order by s.due_at, s.id`.execute(db);
  return rows;
}
