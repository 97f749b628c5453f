import { SECRET_OVERLAP_HOURS } from '@navette/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { refuseAsNotFound, refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';
import { type Authorize, recordAct } from '../members/index.ts';
import { hostOf, type WebhookContext } from './manage-webhooks.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** Creates the next secret. It signs after the overlap: until then merchants make their endpoints accept both. */
export async function startRotation(
  { db, secrets }: WebhookContext,
  accountId: string,
  webhookId: string,
  authorize: Authorize,
  now: Date,
): Promise<{ nextSecret: string; nextSecretAt: string }> {
  const nextSecret = newWebhookSecret();
  const nextSecretAt = new Date(now.getTime() + SECRET_OVERLAP_HOURS * 3_600_000);
  await changeWebhook(db, accountId, webhookId, authorize, async (tx, { isRotating }) => {
    if (isRotating) refuseWithDashboardSlug('ROTATION_RUNNING');
    const { key, sealed } = secrets.seal({ accountId, webhookId }, nextSecret);
    await update(
      tx,
      accountId,
      webhookId,
      sql`
      next_secret_key = ${key}, next_sealed_secret = ${sealed}, next_secret_at = ${nextSecretAt}`,
    );
    return { act: 'webhook-secret-rotated', at: now };
  });
  return { nextSecret, nextSecretAt: nextSecretAt.toISOString() };
}

/** Signs with the next secret from now on, before its time. */
export const switchSecret = (db: Database, accountId: string, webhookId: string, authorize: Authorize, now: Date) =>
  changeWebhook(db, accountId, webhookId, authorize, async (tx, { isRotating }) => {
    if (!isRotating) refuseWithDashboardSlug('NO_ROTATION');
    await update(tx, accountId, webhookId, usingNextSecret(now));
    return { act: 'webhook-secret-switched', at: now };
  });

/** Discards the next secret. */
export const cancelRotation = (db: Database, accountId: string, webhookId: string, authorize: Authorize, now: Date) =>
  changeWebhook(db, accountId, webhookId, authorize, async (tx, { isRotating }) => {
    if (!isRotating) refuseWithDashboardSlug('NO_ROTATION');
    await update(tx, accountId, webhookId, WITHOUT_NEXT_SECRET);
    return { act: 'webhook-rotation-cancelled', at: now };
  });

const WITHOUT_NEXT_SECRET = sql`next_secret_key = null, next_sealed_secret = null, next_secret_at = null`;

/** The replaced secret stays for the log of attempts, which names the version that signed each. */
export const usingNextSecret = (now: Date) => sql`
  previous_secret_key = secret_key, previous_sealed_secret = sealed_secret,
  secret_key = next_secret_key, sealed_secret = next_sealed_secret, secret_version = secret_version + 1,
  secret_changed_at = ${now}, ${WITHOUT_NEXT_SECRET}`;

interface RotationAct {
  act: 'webhook-secret-rotated' | 'webhook-secret-switched' | 'webhook-rotation-cancelled';
  at: Date;
}

async function changeWebhook(
  db: Database,
  accountId: string,
  webhookId: string,
  authorize: Authorize,
  change: (tx: Tx, webhook: { isRotating: boolean }) => Promise<RotationAct>,
): Promise<void> {
  if (!isUuid(webhookId)) refuseAsNotFound();
  await db.transaction().execute(async (tx) => {
    const actor = await authorize(tx);
    const webhook =
      (await tx
        .selectFrom('webhooks')
        .select(['url', 'next_secret_at'])
        .where('account_id', '=', accountId)
        .where('id', '=', webhookId)
        .forNoKeyUpdate()
        .executeTakeFirst()) ?? refuseAsNotFound();
    const { act, at } = await change(tx, { isRotating: webhook.next_secret_at !== null });
    await recordAct(tx, accountId, actor, { act, subject: hostOf(webhook.url), subjectId: webhookId }, at);
  });
}

const update = (tx: Tx, accountId: string, webhookId: string, columns: RawBuilder<unknown>) =>
  sql`update webhooks set ${columns} where account_id = ${accountId} and id = ${webhookId}`.execute(tx);
