import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { type Authorize, recordAct } from '../members/index.ts';
import { hostOf, type WebhookContext } from './manage-webhooks.ts';

export interface RevealedSecret {
  secret: string;
  nextSecret: string | null;
  nextSecretAt: string | null;
}

/** To show a secret or to sign a test, with an entry in the security log. Undefined when there is no such webhook. */
export async function revealSecret(
  { db, secrets }: WebhookContext,
  accountId: string,
  webhookId: string,
  act: 'webhook-secret-read' | 'webhook-tested',
  authorize: Authorize,
): Promise<RevealedSecret | undefined> {
  if (!isUuid(webhookId)) return undefined;
  return db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const row = await findSealed(tx, accountId, webhookId);
    if (!row) return undefined;
    await recordAct(tx, accountId, actor, { act, subject: hostOf(row.url), subjectId: webhookId }, new Date());
    const ref = { accountId, webhookId };
    const { nextKey, nextSealed, nextAt } = row;
    return {
      secret: secrets.open(ref, row),
      nextSecret: nextKey && nextSealed ? secrets.open(ref, { key: nextKey, sealed: nextSealed }) : null,
      nextSecretAt: nextAt?.toISOString() ?? null,
    };
  });
}

/**
 * To compute past signatures again, without showing a secret: the secret of a version, null when it is not kept any more.
 * Undefined when there is no such webhook.
 */
export async function readSecrets(
  { db, secrets }: WebhookContext,
  accountId: string,
  webhookId: string,
): Promise<((version: number) => string | null) | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const row = await findSealed(db, accountId, webhookId);
  if (!row) return undefined;
  const ref = { accountId, webhookId };
  return (version) => {
    if (version === row.version) return secrets.open(ref, row);
    const { previousKey: key, previousSealed: sealed } = row;
    return version === row.version - 1 && key && sealed ? secrets.open(ref, { key, sealed }) : null;
  };
}

const findSealed = (db: Database, accountId: string, webhookId: string) =>
  db
    .selectFrom('webhooks')
    .select(['url', 'secret_key as key', 'sealed_secret as sealed', 'secret_version as version'])
    .select(['next_secret_key as nextKey', 'next_sealed_secret as nextSealed', 'next_secret_at as nextAt'])
    .select(['previous_secret_key as previousKey', 'previous_sealed_secret as previousSealed'])
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
