import { randomUUIDv7 } from 'node:crypto';
import type { Language, Role } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';

export interface NewMember {
  email: string;
  name: string;
  role: Role;
  language: Language;
  passwordHash: string;
}

/** Returns null if the address belongs to a member of any account. */
export async function createMember(
  tx: Tx | Database,
  accountId: string,
  { passwordHash, ...person }: NewMember,
  now: Date,
): Promise<string | null> {
  const id = randomUUIDv7();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('members')
    .values({ id, account_id: accountId, ...person, password_hash: passwordHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows ? id : null;
}
