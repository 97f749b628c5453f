import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  MAX_WEBHOOKS_PER_ACCOUNT,
  type Webhook,
  type WebhookChange,
  type WebhookEvent,
  type WebhookRequest,
} from '@navette/contract';
import type { Selectable } from 'kysely';
import pg from 'pg';
import { createTargetRules, type TargetRules } from '../../adapters/endpoint/target-rules.ts';
import type { Config } from '../../config.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Webhooks } from '../../database/tables.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { refuseWithMessage } from '../../refusals/refusal.ts';
import { withoutUndefined } from '../../validation/without-undefined.ts';
import { type Authorize, recordAct } from '../members/index.ts';
import { createSecretKeeper, newWebhookSecret, type SecretKeeper } from './webhook-secret.ts';
import { checkTarget } from './webhook-target.ts';

const UNIQUE_VIOLATION = '23505';

/** Encrypts secrets and validates addresses. */
export interface WebhookContext {
  db: Database;
  secrets: SecretKeeper;
  targets: TargetRules;
}

export const createWebhookContext = (
  db: Database,
  config: Pick<Config, 'webhookSecretKeys' | 'webhookAllowedNetworks'>,
): WebhookContext => ({
  db,
  secrets: createSecretKeeper(config.webhookSecretKeys),
  targets: createTargetRules(config.webhookAllowedNetworks),
});

type Row = Selectable<Webhooks>;

/** Oldest first, with secrets in plain text: the contract allows their owner to read them again. */
export async function listWebhooks({ db, secrets }: WebhookContext, accountId: string): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  return rows.map((row) => present(row, secrets));
}

export async function createWebhook(
  { db, secrets, targets }: WebhookContext,
  accountId: string,
  { url, events, secret = newWebhookSecret(), isActive = true }: WebhookRequest,
  authorize: Authorize,
): Promise<Webhook> {
  checkTarget(url, targets);
  const id = randomUUIDv7();
  const { key, sealed } = secrets.seal({ accountId, webhookId: id }, secret);
  const row = await refuseDuplicateUrl(
    db.transaction().execute(async (tx) => {
      // The lock serialises creations of one account, so that they cannot exceed the limit together.
      await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      const actor = await authorize(tx);
      const { count } = await tx
        .selectFrom('webhooks')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_WEBHOOKS_PER_ACCOUNT) {
        refuseWithDashboardSlug('TOO_MANY_WEBHOOKS');
      }
      const created = await tx
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
      await recordAct(
        tx,
        accountId,
        actor,
        { act: 'webhook-created', subject: hostOf(url), subjectId: id },
        new Date(),
      );
      return created;
    }),
  );
  return present(row, secrets);
}

export async function updateWebhook(
  { db, secrets, targets }: WebhookContext,
  accountId: string,
  webhookId: string,
  change: WebhookChange,
  authorize: Authorize,
): Promise<Webhook> {
  if (!isUuid(webhookId)) return refuseUnknownWebhook();
  const { url, events, isActive } = change;
  if (url !== undefined) checkTarget(url, targets);
  const now = new Date();
  const row = await refuseDuplicateUrl(
    db.transaction().execute(async (tx) => {
      const actor = await authorize(tx);
      const old = (await lockWebhook(tx, accountId, webhookId)) ?? refuseUnknownWebhook();
      const changed = await tx
        .updateTable('webhooks')
        .set({
          ...withoutUndefined({ url, events: events && withoutRepeats(events), is_active: isActive }),
          ...(isActive ? { paused_at: null, pause_reason: null } : {}),
          ...(resetsFailures(old, change) ? { failing_since: null } : {}),
          updated_at: now,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', webhookId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const subject = describeChange(old, changed);
      if (subject)
        await recordAct(tx, accountId, actor, { act: 'webhook-changed', subject, subjectId: webhookId }, now);
      return changed;
    }),
  );
  return present(row, secrets);
}

export async function deleteWebhook(
  { db }: WebhookContext,
  accountId: string,
  webhookId: string,
  authorize: Authorize,
): Promise<void> {
  if (!isUuid(webhookId)) return refuseUnknownWebhook();
  await db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const deleted = await tx
      .deleteFrom('webhooks')
      .where('account_id', '=', accountId)
      .where('id', '=', webhookId)
      .returning('url')
      .executeTakeFirst();
    const subject = hostOf((deleted ?? refuseUnknownWebhook()).url);
    await recordAct(tx, accountId, actor, { act: 'webhook-deleted', subject, subjectId: webhookId }, new Date());
  });
}

const lockWebhook = (tx: Tx, accountId: string, webhookId: string) =>
  tx
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** A changed address, or a webhook made active again, starts without past failures. */
const resetsFailures = (old: Row, { url, isActive }: WebhookChange) =>
  (isActive === true && !old.is_active) || (url !== undefined && url !== old.url);

/** Null when nothing changed: merchants' software may save the same settings every day. */
function describeChange(old: Row, changed: Row): string | null {
  const settingsOf = ({ url, events, is_active }: Row) => ({ url, events, is_active });
  if (isDeepStrictEqual(settingsOf(old), settingsOf(changed))) return null;
  const [from, to] = [hostOf(old.url), hostOf(changed.url)];
  return from === to ? to : `${from} → ${to}`;
}

/** The security log names a webhook by its host: the rest of the address may contain a token. */
export const hostOf = (url: string): string => new URL(url).host;

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

/** The same response for an unknown webhook and for one of another account. */
function refuseUnknownWebhook(): never {
  return refuseWithMessage(400, 'Webhook introuvable : vérifiez l’identifiant et le compte.');
}

async function refuseDuplicateUrl<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) {
      refuseWithDashboardSlug('WEBHOOK_URL_TAKEN');
    }
    throw error;
  });
}
