import type { FirstSteps } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { readWebhooks } from '../webhooks/index.ts';

/** Which first steps an account has completed. Reads keys, one counter and the latest deliveries: the cost is bounded. */
export async function readFirstSteps(db: Database, accountId: string): Promise<FirstSteps> {
  const [{ rows }, webhooks] = await Promise.all([
    sql<Omit<FirstSteps, 'webhookHeard'>>`
      select exists (select from api_keys where account_id = ${accountId}) as "keyMade",
             exists (select from api_keys where account_id = ${accountId} and last_used_at is not null) as "keyUsed",
             coalesce((select last_shipment > 0 from account_counters where account_id = ${accountId}), false)
               as "shipmentCreated"
    `.execute(db),
    readWebhooks(db, accountId, new Date()),
  ]);
  const webhookHeard = webhooks.some(({ latest }) => latest.some(({ status }) => status === 'delivered'));
  const { keyMade = false, keyUsed = false, shipmentCreated = false } = rows[0] ?? {};
  return { keyMade, keyUsed, shipmentCreated, webhookHeard };
}
