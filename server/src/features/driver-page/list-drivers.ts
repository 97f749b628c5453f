import type { ListedDriver } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';

const PAGE = 50;

/** Without robots, newest first by the time in the id. A page is a range of the primary key, so every page costs the same. */
export async function listDriverPage(db: Database, cursor: string | undefined) {
  let query = db
    .selectFrom('drivers')
    .select(['id', 'first_name', 'last_name', 'email', 'phone_number', 'available', 'created_at', 'disabled_at'])
    .where('test_account_id', 'is', null);
  if (cursor !== undefined && isUuid(cursor)) query = query.where('id', '<', cursor);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const drivers = rows.slice(0, PAGE).map(
    (row): ListedDriver => ({
      id: row.id,
      name: `${row.first_name} ${row.last_name}`,
      email: row.email,
      phone: row.phone_number,
      available: row.available,
      createdAt: row.created_at.toISOString(),
      disabledAt: row.disabled_at?.toISOString() ?? null,
    }),
  );
  return { drivers, nextCursor: rows.length > PAGE ? (drivers.at(-1)?.id ?? null) : null };
}
