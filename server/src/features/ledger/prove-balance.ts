import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

export interface BalanceProof {
  entries: number;
  creditsCents: number;
  chargesCents: number;
  refundsCents: number;
  /** The balance after the last entry. */
  lastBalanceCents: number;
}

/** Recomputes the balance from the ledger's entries. */
export async function proveBalance(db: Database, accountId: string): Promise<BalanceProof> {
  const { rows } = await sql<BalanceProof>`
    select count(*) as entries,
           coalesce(sum(amount_cents) filter (where kind = 'credit'), 0)::bigint as "creditsCents",
           coalesce(sum(amount_cents) filter (where kind = 'charge'), 0)::bigint as "chargesCents",
           coalesce(sum(amount_cents) filter (where kind = 'refund'), 0)::bigint as "refundsCents",
           coalesce((array_agg(balance_after_cents order by entry desc))[1], 0) as "lastBalanceCents"
    from ledger_entries where account_id = ${accountId}`.execute(db);
  return rows[0] as BalanceProof;
}
