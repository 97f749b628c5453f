import { sql } from 'kysely';
import type { TestAccount, TestServer } from './test-server.ts';

/** Moves all timestamps of the account's webhooks into the past. */
export async function ageWebhooks(
  { db }: Pick<TestServer, 'db'>,
  shop: Pick<TestAccount, 'id'>,
  hours: number,
): Promise<void> {
  const by = sql`make_interval(hours => ${hours})`;
  await sql`update webhooks set failing_since = failing_since - ${by}, created_at = created_at - ${by},
    updated_at = updated_at - ${by} where account_id = ${shop.id}`.execute(db);
  await sql`update webhook_deliveries set created_at = created_at - ${by}, settled_at = settled_at - ${by}
    where account_id = ${shop.id}`.execute(db);
}
