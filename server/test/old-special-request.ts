import { sql } from 'kysely';
import type { TestAccount, TestServer } from './test-server.ts';

/** As accounts could be before the rule: a special request without a time. */
export async function createOldSpecialRequest(server: Pick<TestServer, 'createAccount' | 'db'>): Promise<TestAccount> {
  const account = await server.createAccount({ paymentMode: 'deferred' });
  await sql`alter table accounts disable trigger user`.execute(server.db);
  await sql`update accounts set is_special_request = true, updated_at = now() where id = ${account.id}`.execute(
    server.db,
  );
  await sql`alter table accounts enable trigger user`.execute(server.db);
  return account;
}
