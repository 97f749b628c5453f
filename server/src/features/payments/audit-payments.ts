import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';

/** Compares payments with the ledger. Reads only. */
export function auditPayments(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'each movement of a payment is a credit of the ledger, of the same account and amount': sql`
      select m.payment_id || ' ' || m.reference as broken
      from payment_movements m
      left join payments p on p.id = m.payment_id
      left join ledger_entries l on (l.account_id, l.entry) = (m.account_id, m.entry)
      where p.account_id is distinct from m.account_id or l.kind is distinct from 'credit' or l.amount_cents is distinct from m.amount_cents`,
    'a payment that succeeded was credited once with its amount, and no other one was': sql`
      select p.id::text as broken
      from payments p
      left join payment_movements m on m.payment_id = p.id and m.kind = 'received'
      where (p.status = 'succeeded') <> (m.amount_cents is not null)
        or m.amount_cents <> case when p.reviewed_at is null then p.amount_cents else p.received_cents end
        or (m.reference is not null and m.reference <> 'received')`,
    'refunds and disputes that returned were taken before, with the same amount': sql`
      select m.payment_id || ' ' || m.reference as broken
      from payment_movements m
      left join payment_movements taken on taken.payment_id = m.payment_id
        and taken.reference = replace(replace(m.reference, 'refund_failed:', 'refund:'), 'dispute_won:', 'dispute:')
        and taken.amount_cents = -m.amount_cents
      where m.kind in ('refund_failed', 'dispute_won') and taken.reference is null`,
    'no test account has payments': sql`
      select p.id::text as broken from payments p join accounts a on a.id = p.account_id
      where a.live_account_id is not null`,
  });
}
