import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { servedHere } from '../database/served-here.ts';
import type { PersonKind } from './directory.ts';

const TABLES: Record<PersonKind, 'members' | 'drivers' | 'staff'> = {
  member: 'members',
  driver: 'drivers',
  staff: 'staff',
};

/** Whether somebody of any account signs in to this cell with the address, and the hash by which the directory knows it. */
export async function findPerson(
  db: Database,
  kind: PersonKind,
  email: string,
): Promise<{ isKnown: boolean; addressHash: Buffer }> {
  const isHere = kind === 'member' ? servedHere('p.account_id') : sql`true`;
  const { rows } = await sql<{ isKnown: boolean; addressHash: Buffer }>`
    select hash_of_address(${email}) as "addressHash",
      exists (select from ${sql.table(TABLES[kind])} p where lower(email) = lower(${email}) and ${isHere}) as "isKnown"`.execute(
    db,
  );
  return rows[0] as { isKnown: boolean; addressHash: Buffer };
}

/** Makes the worker report everybody to the directory, for a cell that joins it. */
export async function reportEverybody(db: Database): Promise<void> {
  for (const [kind, table] of Object.entries(TABLES)) {
    await sql`
      insert into sign_in_changes (kind, address_hash, is_known)
      select ${kind}, hash_of_address(email), true from ${sql.table(table)} where email is not null`.execute(db);
  }
}
