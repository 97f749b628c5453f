import { IMPORT_KEPT_DAYS } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

const DAY_MS = 86_400_000;
const UNSTARTED_KEPT_DAYS = 1;
const AT_ONCE = 20; // imports, each of up to 5,000 lines

/**
 * Erases the lines of old imports, which contain addresses, and the column titles: in a file without titles these are
 * the first line of data. The counts and the outcome stay.
 */
export async function eraseImports(db: Database, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  let erased = 0;
  for (;;) {
    const { rows } = await sql`
      with old as (
        select account_id, id from imports
        where erased_at is null and created_at < ${before(UNSTARTED_KEPT_DAYS)}
          and (started_at is null or created_at < ${before(IMPORT_KEPT_DAYS)}) and state <> 'running' and ${servedHere('imports.account_id')}
        order by created_at limit ${AT_ONCE} for update skip locked
      ), erased as (
        delete from import_lines l using old where l.account_id = old.account_id and l.import_id = old.id
      )
      update imports i set erased_at = ${now}, columns = '[]',
        state = case when state = 'previewed' then 'cancelled' else state end, finished_at = coalesce(finished_at, ${now})
      from old where i.account_id = old.account_id and i.id = old.id
      returning i.id`.execute(db);
    erased += rows.length;
    if (rows.length < AT_ONCE) return erased;
  }
}
