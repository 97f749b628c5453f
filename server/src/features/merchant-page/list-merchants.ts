import type { ListedMerchant, PaymentMode, PaymentStatus } from '@navette/contract';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { toEuros } from '../ledger/index.ts';

const PAGE = 50;

/** Without test twins, newest first by the time in the id. A page is a range of the primary key, so every page costs the same. */
export async function listAnyMerchants(db: Database, cursor: string | undefined) {
  let query = db
    .selectFrom('accounts as a')
    .innerJoin('account_counters as c', 'c.account_id', 'a.id')
    .select(['a.id', 'a.name', 'a.email', 'a.payment_mode', 'a.payment_status', 'a.created_at', 'a.closed_at'])
    .select('c.balance_cents')
    .where('a.live_account_id', 'is', null);
  if (cursor !== undefined && isUuid(cursor)) query = query.where('a.id', '<', cursor);
  const rows = await query
    .orderBy('a.id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const merchants = rows.slice(0, PAGE).map(
    (row): ListedMerchant => ({
      id: row.id,
      name: row.name,
      email: row.email,
      paymentMode: row.payment_mode as PaymentMode,
      paymentStatus: row.payment_status as PaymentStatus,
      balance: toEuros(row.balance_cents),
      createdAt: row.created_at.toISOString(),
      closedAt: row.closed_at?.toISOString() ?? null,
    }),
  );
  return { merchants, nextCursor: rows.length > PAGE ? (merchants.at(-1)?.id ?? null) : null };
}
