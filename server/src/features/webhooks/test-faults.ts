import type { TestFault } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';

type FaultOrNone = TestFault | 'none';

/** The fault of a test account's webhook; undefined when the webhook is unknown. */
export async function readTestFault(db: Database, twinId: string, webhookId: string): Promise<FaultOrNone | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const webhook = await db
    .selectFrom('webhooks')
    .select('test_fault')
    .where('account_id', '=', twinId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  return webhook && ((webhook.test_fault as TestFault | null) ?? 'none');
}

/** False when the webhook is unknown. */
export async function setTestFault(
  db: Database | Tx,
  twinId: string,
  webhookId: string,
  fault: FaultOrNone,
): Promise<boolean> {
  if (!isUuid(webhookId)) return false;
  const { numUpdatedRows } = await db
    .updateTable('webhooks')
    .set({ test_fault: fault === 'none' ? null : fault })
    .where('account_id', '=', twinId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
