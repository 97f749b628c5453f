import { sql } from 'kysely';
import { type AuditFinding, findBrokenRows } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';

/** Recomputes months and documents from the ledger. Reads only. */
export function auditInvoices(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'closed months cover the ledger without gap, from its first entry on, and carry its balances': sql`
      select p.account_id || ' ' || p.month as broken
      from (select *, coalesce(lag(last_entry) over account, 0) as before, lag(month) over account as previous_month
            from billing_periods window account as (partition by account_id order by first_entry)) p
      left join ledger_entries f on (f.account_id, f.entry) = (p.account_id, p.first_entry)
      left join ledger_entries l on (l.account_id, l.entry) = (p.account_id, p.last_entry)
      where ${servedHere('p.account_id')} and (p.first_entry <> p.before + 1 or p.month <= p.previous_month
        or (p.opening_cents, p.closing_cents)
          is distinct from (f.balance_after_cents - f.amount_cents, l.balance_after_cents))`,
    'invoices less credit notes of a month are the charges less the refunds of its ledger entries': sql`
      select account_id || ' ' || month as broken
      from billing_periods p
      cross join lateral (
        select coalesce(sum(-amount_cents), 0) as cents from ledger_entries l
        where l.account_id = p.account_id and l.entry between p.first_entry and p.last_entry and l.kind <> 'credit'
      ) ledger
      cross join lateral (
        select coalesce(sum(case kind when 'invoice' then gross_cents else -gross_cents end), 0) as cents, count(*) as many
        from invoices i where i.account_id = p.account_id and i.month = p.month
      ) documents
      where ${servedHere('p.account_id')}
        and case when is_invoiced then ledger.cents <> documents.cents - unbilled_refund_cents else documents.many > 0 end`,
    'refunds without a credit note are those of charges before the first invoiced month': sql`
      select p.account_id || ' ' || p.month as broken
      from billing_periods p
      cross join lateral (
        select coalesce(sum(r.amount_cents), 0) as cents
        from ledger_entries r
        join ledger_entries c on (c.account_id, c.shipment_id, c.kind) = (r.account_id, r.shipment_id, 'charge')
        join billing_periods b on b.account_id = c.account_id and c.entry between b.first_entry and b.last_entry
        where r.account_id = p.account_id and r.entry between p.first_entry and p.last_entry and r.kind = 'refund'
          and not b.is_invoiced
      ) before
      where ${servedHere('p.account_id')} and p.unbilled_refund_cents <> case when p.is_invoiced then before.cents else 0 end`,
    'credit notes take back no more than their invoice': sql`
      select c.corrects as broken
      from invoices c join invoices i on (i.account_id, i.number) = (c.account_id, c.corrects)
      group by c.account_id, c.corrects, i.gross_cents, i.kind
      having sum(c.gross_cents) > i.gross_cents or i.kind <> 'invoice'`,
    'the lines of a document add up to its amounts': sql`
      select number as broken from invoices i
      cross join lateral (
        select sum((line->>'grossCents')::bigint) as gross, sum((line->>'netCents')::bigint) as net
        from jsonb_array_elements(i.lines) line
      ) summed
      where (i.gross_cents, i.net_cents) is distinct from (summed.gross, summed.net)`,
    'no test account has invoices': sql`
      select p.account_id || ' ' || p.month as broken
      from billing_periods p join accounts a on a.id = p.account_id where a.live_account_id is not null`,
  });
}

/** Recomputes the numbers of each series, whose documents are those of many accounts. Reads only. */
export function auditSeries(db: Database): Promise<AuditFinding[]> {
  return findBrokenRows(db, {
    'numbers of a series have no gap, follow the dates, and end at its counter': sql`
      select coalesce(i.number, s.series) as broken
      from (select *, row_number() over series as expected, lag(issued_on) over series as previous_day,
                   lead(position) over series as following
            from invoices window series as (partition by series order by position)) i
      full join invoice_series s using (series)
      where s.numbered_in is null and (i.position is distinct from i.expected or i.issued_on < i.previous_day
        or i.number <> i.series || '-' || lpad(i.position::text, 6, '0')
        or (i.following is null and i.position is distinct from s.last_number))`,
  });
}
