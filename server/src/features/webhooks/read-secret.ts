import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { type Authorize, recordAct } from '../members/index.ts';
import { hostOf, type WebhookContext } from './manage-webhooks.ts';

/** To show a secret or to sign a test, with an entry in the security log. Undefined when there is no such webhook. */
export async function revealSecret(
  { db, secrets }: WebhookContext,
  accountId: string,
  webhookId: string,
  act: 'webhook-secret-read' | 'webhook-tested',
  authorize: Authorize,
): Promise<string | undefined> {
  if (!isUuid(webhookId)) return undefined;
  return db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const row = await findSealed(tx, accountId, webhookId);
    if (!row) return undefined;
    await recordAct(tx, accountId, actor, { act, subject: hostOf(row.url), subjectId: webhookId }, new Date());
    return secrets.open({ accountId, webhookId }, row);
  });
}

/** To compute past signatures again, without showing the secret. Undefined when there is no such webhook. */
export async function readSecret(
  { db, secrets }: WebhookContext,
  accountId: string,
  webhookId: string,
): Promise<string | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const row = await findSealed(db, accountId, webhookId);
  return row && secrets.open({ accountId, webhookId }, row);
}

const findSealed = (db: Database, accountId: string, webhookId: string) =>
  db
    .selectFrom('webhooks')
    .select(['url', 'secret_key as key', 'sealed_secret as sealed'])
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
