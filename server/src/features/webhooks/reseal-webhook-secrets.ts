import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type ResealCounts, resealInBatches } from '../../secrets/reseal-in-batches.ts';
import type { SealedSecret } from '../../secrets/secret-sealer.ts';
import type { SecretKeeper, WebhookRef } from './webhook-secret.ts';

const BATCH = 500; // webhooks

type SealedWebhook = WebhookRef & SealedSecret;

/** The columns of a webhook's secrets: of the one that signs, the next and the previous one. */
const SLOTS = [
  { key: 'secret_key', sealed: 'sealed_secret' },
  { key: 'next_secret_key', sealed: 'next_sealed_secret' },
  { key: 'previous_secret_key', sealed: 'previous_sealed_secret' },
] as const;

/** For the operator: encrypts the secrets of all accounts' webhooks with the newest key. */
export async function resealAnyWebhookSecrets(
  db: Database,
  secrets: SecretKeeper,
  batchSize = BATCH,
): Promise<ResealCounts> {
  const counts: ResealCounts = { reencrypted: 0, unreadable: 0 };
  for (const slot of SLOTS) {
    const { reencrypted, unreadable } = await resealSlot(db, secrets, slot, batchSize);
    counts.reencrypted += reencrypted;
    counts.unreadable += unreadable;
  }
  return counts;
}

function resealSlot(db: Database, secrets: SecretKeeper, slot: (typeof SLOTS)[number], batchSize: number) {
  const [keyColumn, sealedColumn] = [sql.ref(slot.key), sql.ref(slot.sealed)];
  return resealInBatches<SealedWebhook>({
    async read(after) {
      const [accountId, webhookId] = [after?.accountId ?? null, after?.webhookId ?? null];
      const { rows } = await sql<SealedWebhook>`
        select account_id as "accountId", id as "webhookId", ${keyColumn} as key, ${sealedColumn} as sealed from webhooks
        where ${keyColumn} <> ${secrets.newestKey}
          and (${accountId}::uuid is null or (account_id, id) > (${accountId}::uuid, ${webhookId}::uuid))
        order by account_id, id limit ${batchSize}`.execute(db);
      return rows;
    },
    reseal: (webhook) => secrets.seal(webhook, secrets.open(webhook, webhook)),
    async write(webhooks) {
      const { numAffectedRows } = await sql`
        update webhooks w set ${keyColumn} = ${secrets.newestKey}, ${sealedColumn} = r.resealed
        from unnest(${webhooks.map(({ row }) => row.accountId)}::uuid[], ${webhooks.map(({ row }) => row.webhookId)}::uuid[],
                    ${webhooks.map(({ row }) => row.sealed)}::bytea[],
                    ${webhooks.map(({ resealed }) => resealed.sealed)}::bytea[]) as r (account_id, id, sealed, resealed)
        where (w.account_id, w.id) = (r.account_id, r.id) and w.${sealedColumn} = r.sealed`.execute(db);
      return Number(numAffectedRows);
    },
  });
}

/** How many webhook secrets are encrypted with each key, by the name of the key. */
export async function countAnyWebhookSecretKeys(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select key, count(*)::int as count
    from webhooks cross join lateral (values (secret_key), (next_secret_key), (previous_secret_key)) as secret (key)
    where key is not null group by 1`.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
}
