import { sql } from 'kysely';
import { localDay } from '../../calendar/local-calendar.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';

/** SMS counted for an account today, in local time. */
export async function countSmsToday(
  db: Database,
  accountId: string,
  { timeZone }: Pick<Config, 'timeZone'>,
  now: Date,
): Promise<number> {
  const row = await db
    .selectFrom('sms_days')
    .select('reserved')
    .where('account_id', '=', accountId)
    .where('day', '=', sql<Date>`${localDay(now, timeZone)}::date`)
    .executeTakeFirst();
  return row?.reserved ?? 0;
}
