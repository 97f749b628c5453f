import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../../database/database.ts';

/**
 * Notes that creations of prepaid accounts were refused for lack of balance. Writes once a minute at most: a shop that
 * repeats its request reads one row. The next credit ends the record (add-credit.ts).
 */
const NOTE_REFUSALS = `
  insert into balance_refusals as b (account_id, first_at, last_at, price_cents)
  select distinct on (r.account_id) r.account_id, $2::timestamptz, $2::timestamptz, r.price_cents
  from json_to_recordset($1) as r (account_id uuid, price_cents int)
  where not exists (select from balance_refusals known
                    where known.account_id = r.account_id and known.last_at > $2::timestamptz - interval '1 minute')
  order by r.account_id
  on conflict (account_id) do update set last_at = excluded.last_at, price_cents = excluded.price_cents,
    first_at = case when b.last_at < excluded.last_at - interval '1 day' then excluded.first_at else b.first_at end`;

export async function noteBalanceRefusals(
  pool: pg.Pool,
  refused: { accountId: string; priceCents: number }[],
  now: Date,
): Promise<void> {
  const rows = refused.map(({ accountId, priceCents }) => ({ account_id: accountId, price_cents: priceCents }));
  await pool.query(NOTE_REFUSALS, [JSON.stringify(rows), now]);
}

export interface BalanceRefusal {
  accountId: string;
  account: string;
  firstAt: Date;
  lastAt: Date;
  priceCents: number;
  balanceCents: number;
}

/** Open prepaid accounts, of all, with a creation refused for lack of balance since then, latest first. */
export async function listAnyBalanceRefusals(
  db: Database,
  { since, limit }: { since: Date; limit: number },
): Promise<BalanceRefusal[]> {
  const { rows } = await sql<BalanceRefusal>`
    select a.id as "accountId", a.name as account, b.first_at as "firstAt", b.last_at as "lastAt",
           b.price_cents as "priceCents", c.balance_cents as "balanceCents"
    from balance_refusals b
    join accounts a on a.id = b.account_id
    join account_counters c on c.account_id = b.account_id
    where b.last_at > ${since} and a.payment_mode = 'prepaid' and a.closed_at is null and a.live_account_id is null
    order by b.last_at desc limit ${limit}`.execute(db);
  return rows;
}
