import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { GrossLine } from './vat.ts';

/** A range of an account's ledger entries. */
export interface EntryRange {
  accountId: string;
  firstEntry: number;
  lastEntry: number;
}

/** Charges of the range by local day, without those that the range refunds. */
export async function sumCharges(tx: Tx, { accountId, firstEntry, lastEntry }: EntryRange, timeZone: string) {
  const { rows } = await sql<GrossLine>`
    select (c.created_at at time zone ${timeZone})::date::text as day, count(*) as shipments,
           sum(-c.amount_cents)::bigint as "grossCents"
    from ledger_entries c
    where c.account_id = ${accountId} and c.entry between ${firstEntry} and ${lastEntry} and c.kind = 'charge'
      and c.amount_cents < 0
      and not exists (
        select from ledger_entries r
        where r.account_id = ${accountId} and r.entry between ${firstEntry} and ${lastEntry} and r.kind = 'refund'
          and r.shipment_id = c.shipment_id)
    group by 1 order by 1`.execute(tx);
  return rows;
}

/** Refunds of one earlier month's charges. */
export interface EarlierRefunds {
  month: string;
  isInvoiced: boolean;
  lines: GrossLine[];
}

/** Refunds of the range whose charges belong to earlier months, by month of the charge and local day of the refund. */
export async function sumEarlierRefunds(
  tx: Tx,
  { accountId, firstEntry, lastEntry }: EntryRange,
  timeZone: string,
): Promise<EarlierRefunds[]> {
  const { rows } = await sql<EarlierRefunds & GrossLine>`
    select p.month, p.is_invoiced as "isInvoiced", (r.created_at at time zone ${timeZone})::date::text as day,
           count(*) as shipments, sum(r.amount_cents)::bigint as "grossCents"
    from ledger_entries r
    join ledger_entries c on c.account_id = r.account_id and c.shipment_id = r.shipment_id and c.kind = 'charge'
      and c.entry < ${firstEntry}
    join billing_periods p on p.account_id = c.account_id and c.entry between p.first_entry and p.last_entry
    where r.account_id = ${accountId} and r.entry between ${firstEntry} and ${lastEntry} and r.kind = 'refund'
      and r.amount_cents > 0
    group by 1, 2, 3 order by 1, 3`.execute(tx);
  return [...Map.groupBy(rows, ({ month }) => month)].map(([month, lines]) => ({
    month,
    isInvoiced: lines.some(({ isInvoiced }) => isInvoiced),
    lines: lines.map(({ day, shipments, grossCents }) => ({ day, shipments, grossCents })),
  }));
}

export const grossOf = (lines: GrossLine[]): number => lines.reduce((sum, { grossCents }) => sum + grossCents, 0);
