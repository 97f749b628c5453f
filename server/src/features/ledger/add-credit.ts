import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

export interface CreditEntry {
  entry: number;
  amountCents: number;
  balanceCents: number;
}

/** One statement, so a crash cannot leave a balance without its ledger entry. */
export async function addCredit(
  db: Database,
  accountId: string,
  amountCents: number,
  note: string | null,
): Promise<CreditEntry | null> {
  const { rows } = await sql<CreditEntry>`
    with counted as (
      update account_counters
      set balance_cents = balance_cents + ${amountCents}, last_entry = last_entry + 1
      where account_id = ${accountId}
      returning balance_cents, last_entry
    ), ended as (
      delete from balance_refusals where account_id = ${accountId} and ${amountCents}::bigint > 0
    )
    insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, note, created_at)
    select ${accountId}, last_entry, 'credit', ${amountCents}, balance_cents, ${note},
      now() + a.clock_ahead_ms * interval '1 millisecond'
    from counted join accounts a on a.id = ${accountId}
    returning entry, amount_cents as "amountCents", balance_after_cents as "balanceCents"
  `.execute(db);
  return rows[0] ?? null;
}
