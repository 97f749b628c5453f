import type { Language } from '@navette/contract';
import { sql } from 'kysely';
import { isMonth } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';
import type { InvoiceParty } from '../../database/json-columns.ts';
import { readBuyer } from './buyer.ts';

export interface StatementDay {
  day: string;
  shipments: number;
  chargesCents: number;
  refundsCents: number;
  creditsCents: number;
  /** After the last entry of the day. */
  balanceCents: number;
}

/** A closed month of an account, by local day. */
export interface AccountStatement {
  month: string;
  firstEntry: number;
  lastEntry: number;
  openingCents: number;
  closingCents: number;
}

/** Null when the month is not closed, or was before the first invoiced one. */
export async function readStatement(db: Database, accountId: string, month: string): Promise<AccountStatement | null> {
  if (!isMonth(month)) return null;
  const period = await db
    .selectFrom('billing_periods')
    .select(['month', 'first_entry as firstEntry', 'last_entry as lastEntry'])
    .select(['opening_cents as openingCents', 'closing_cents as closingCents'])
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .where('is_invoiced', '=', true)
    .executeTakeFirst();
  return period ?? null;
}

export interface StatementContent extends AccountStatement {
  days: StatementDay[];
  owner: InvoiceParty;
  language: Language;
}

export async function readStatementContent(
  db: Database,
  accountId: string,
  statement: AccountStatement,
  timeZone: string,
): Promise<StatementContent> {
  const { party, language } = await readBuyer(db, accountId);
  const { rows: days } = await sql<StatementDay>`
    select (created_at at time zone ${timeZone})::date::text as day,
           count(*) filter (where kind = 'charge') as shipments,
           coalesce(sum(amount_cents) filter (where kind = 'charge'), 0)::bigint as "chargesCents",
           coalesce(sum(amount_cents) filter (where kind = 'refund'), 0)::bigint as "refundsCents",
           coalesce(sum(amount_cents) filter (where kind = 'credit'), 0)::bigint as "creditsCents",
           (array_agg(balance_after_cents order by entry desc))[1] as "balanceCents"
    from ledger_entries
    where account_id = ${accountId} and entry between ${statement.firstEntry} and ${statement.lastEntry}
    group by 1 order by min(entry)`.execute(db);
  return { ...statement, days, owner: party, language };
}
