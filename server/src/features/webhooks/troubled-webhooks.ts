import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { hostOf } from './manage-webhooks.ts';

export interface TroubledWebhook {
  webhookId: string;
  accountId: string;
  account: string;
  /** Without path and query, which may contain a token. */
  host: string;
  failingSince: Date | null;
  pausedAt: Date | null;
}

/** Webhooks of any account that the service paused, latest first. */
export async function listAnyPausedWebhooks(db: Database, limit: number): Promise<TroubledWebhook[]> {
  const rows = await selectAnyWebhooks(db)
    .where('w.paused_at', 'is not', null)
    .orderBy('w.paused_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(present);
}

/** Active webhooks of any account that have failed since `before` or longer, latest first. */
export async function listAnyFailingWebhooks(
  db: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<TroubledWebhook[]> {
  const rows = await selectAnyWebhooks(db)
    .where('w.failing_since', '<=', before)
    .where('w.is_active', '=', sql.lit(true)) // uses the index webhooks_failing
    .orderBy('w.failing_since', 'desc')
    .limit(limit)
    .execute();
  return rows.map(present);
}

const selectAnyWebhooks = (db: Database) =>
  db
    .selectFrom('webhooks as w')
    .innerJoin('accounts as a', 'a.id', 'w.account_id')
    .select(['w.id', 'w.account_id', 'a.name', 'w.url', 'w.failing_since', 'w.paused_at'])
    .where('a.closed_at', 'is', null)
    .where('a.live_account_id', 'is', null);

const present = (row: Awaited<ReturnType<ReturnType<typeof selectAnyWebhooks>['execute']>>[number]) => ({
  webhookId: row.id,
  accountId: row.account_id,
  account: row.name,
  host: hostOf(row.url),
  failingSince: row.failing_since,
  pausedAt: row.paused_at,
});
