import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type ResealCounts, resealInBatches } from '../../secrets/reseal-in-batches.ts';
import type { SealedSecret } from '../../secrets/secret-sealer.ts';
import type { SecretKeeper, WebhookRef } from './webhook-secret.ts';

const BATCH = 500; // webhooks

type SealedWebhook = WebhookRef & SealedSecret;

/** For the operator: encrypts the secrets of all accounts' webhooks with the newest key. */
export async function resealAnyWebhookSecrets(
  db: Database,
  secrets: SecretKeeper,
  batchSize = BATCH,
): Promise<ResealCounts> {
  return resealInBatches<SealedWebhook>({
    async read(after) {
      const [accountId, webhookId] = [after?.accountId ?? null, after?.webhookId ?? null];
      const { rows } = await sql<SealedWebhook>`
        select account_id as "accountId", id as "webhookId", secret_key as key, sealed_secret as sealed from webhooks
        where secret_key <> ${secrets.newestKey}
          and (${accountId}::uuid is null or (account_id, id) > (${accountId}::uuid, ${webhookId}::uuid))
        order by account_id, id limit ${batchSize}`.execute(db);
      return rows;
    },
    reseal: (webhook) => secrets.seal(webhook, secrets.open(webhook, webhook)),
    async write(webhooks) {
      const { numAffectedRows } = await sql`
        update webhooks w set secret_key = ${secrets.newestKey}, sealed_secret = r.resealed
        from unnest(${webhooks.map(({ row }) => row.accountId)}::uuid[], ${webhooks.map(({ row }) => row.webhookId)}::uuid[],
                    ${webhooks.map(({ row }) => row.sealed)}::bytea[],
                    ${webhooks.map(({ resealed }) => resealed.sealed)}::bytea[]) as r (account_id, id, sealed, resealed)
        where (w.account_id, w.id) = (r.account_id, r.id) and w.sealed_secret = r.sealed`.execute(db);
      return Number(numAffectedRows);
    },
  });
}

/** How many webhook secrets are encrypted with each key, by the name of the key. */
export async function countAnyWebhookSecretKeys(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select secret_key as key, count(*)::int as count from webhooks group by 1`.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
}
