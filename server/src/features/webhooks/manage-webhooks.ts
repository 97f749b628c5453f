import { randomUUIDv7 } from 'node:crypto';
import {
  MAX_WEBHOOKS_PER_ACCOUNT,
  type Webhook,
  type WebhookChange,
  type WebhookEvent,
  type WebhookRequest,
} from '@navette/contract';
import type { Selectable } from 'kysely';
import pg from 'pg';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { Webhooks } from '../../database/tables.ts';
import { refuseInWords } from '../../http/dashboard-refusal.ts';
import { refuseWithMessage } from '../../http/refusal.ts';
import { isUuid } from '../../uuid.ts';
import { withoutUndefined } from '../../without-undefined.ts';
import { createSecretKeeper, newWebhookSecret, type SecretKeeper } from './webhook-secret.ts';
import { checkTarget, createTargetRules, type TargetRules } from './webhook-target.ts';

const UNIQUE_VIOLATION = '23505';

/** What the writes need beside the account: the way to seal secrets, and the rules for addresses. */
export interface Managing {
  db: Database;
  secrets: SecretKeeper;
  targets: TargetRules;
}

export const createManaging = (
  db: Database,
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>,
): Managing => ({
  db,
  secrets: createSecretKeeper(config.webhookSecretKeys),
  targets: createTargetRules(config.webhookAllowedNetworks),
});

type Row = Selectable<Webhooks>;

/** Oldest first, secrets in clear: the contract lets their owner read them again. */
export async function listWebhooks({ db, secrets }: Managing, accountId: string): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  return rows.map((row) => present(row, secrets));
}

export async function createWebhook(
  { db, secrets, targets }: Managing,
  accountId: string,
  { url, events, secret = newWebhookSecret(), isActive = true }: WebhookRequest,
): Promise<Webhook> {
  await checkTarget(url, targets);
  const id = randomUUIDv7();
  const { key, sealed } = secrets.seal({ accountId, webhookId: id }, secret);
  const row = await onceForItsAddress(
    db.transaction().execute(async (tx) => {
      // Creations of one account wait for each other, so that no webhook slips in above the limit.
      await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      const { count } = await tx
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_WEBHOOKS_PER_ACCOUNT) {
        refuseInWords('TOO_MANY_WEBHOOKS');
      }
      return tx
        .insertInto('webhooks')
        .values({
          account_id: accountId,
          id,
          url,
          events: withoutRepeats(events),
          secret_key: key,
          sealed_secret: sealed,
          is_active: isActive,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    }),
  );
  return present(row, secrets);
}

export async function updateWebhook(
  { db, secrets, targets }: Managing,
  accountId: string,
  webhookId: string,
  { url, events, isActive }: WebhookChange,
): Promise<Webhook> {
  if (!isUuid(webhookId)) return refuseUnknownWebhook();
  if (url !== undefined) await checkTarget(url, targets);
  const row = await onceForItsAddress(
    db
      .updateTable('webhooks')
      .set({
        ...withoutUndefined({ url, events: events && withoutRepeats(events), is_active: isActive }),
        updated_at: new Date(),
      })
      .where('account_id', '=', accountId)
      .where('id', '=', webhookId)
      .returningAll()
      .executeTakeFirst(),
  );
  return present(row ?? refuseUnknownWebhook(), secrets);
}

export async function deleteWebhook({ db }: Managing, accountId: string, webhookId: string): Promise<void> {
  if (!isUuid(webhookId)) return refuseUnknownWebhook();
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) refuseUnknownWebhook();
}

/** Undefined when the account has no such webhook. */
export async function readSecret(
  { db, secrets }: Managing,
  accountId: string,
  webhookId: string,
): Promise<string | undefined> {
  if (!isUuid(webhookId)) return undefined;
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .executeTakeFirst();
  return row && present(row, secrets).secret;
}

function present(row: Row, secrets: SecretKeeper): Webhook {
  const sealed = { key: row.secret_key, sealed: row.sealed_secret };
  return {
    _id: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    secret: secrets.open({ accountId: row.account_id, webhookId: row.id }, sealed),
    isActive: row.is_active,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const withoutRepeats = (events: WebhookEvent[]) => [...new Set(events)];

/** Unknown and foreign are the same answer. */
function refuseUnknownWebhook(): never {
  return refuseWithMessage(400, 'Webhook introuvable : vérifiez l’identifiant et le compte.');
}

async function onceForItsAddress<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) {
      refuseInWords('WEBHOOK_URL_TAKEN');
    }
    throw error;
  });
}
