import type { LedgerEntry, LedgerQuery } from '@navette/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { toEuros } from './money.ts';

/** When the entries were written, or which they are; an absent bound is open. */
export interface Period {
  since?: Date;
  before?: Date;
  firstEntry?: number;
  lastEntry?: number;
}

interface EntryRow {
  entry: number;
  kind: LedgerEntry['kind'];
  amountCents: number;
  balanceAfterCents: number;
  note: string | null;
  shipmentId: string | null;
  referenceNumber: string | null;
  orderId: string | null;
  createdAt: Date;
}

const DEFAULT_PAGE = 50;

/** Entries, newest first. A page is a range of entry numbers, so every page costs the same. */
export async function listLedger(
  db: Database,
  accountId: string,
  { cursor, limit = DEFAULT_PAGE }: Pick<LedgerQuery, 'cursor' | 'limit'>,
  { since, before, firstEntry, lastEntry }: Period = {},
): Promise<{ entries: LedgerEntry[]; nextCursor: string | null }> {
  const bounds = [
    sql`l.account_id = ${accountId}`,
    ...(cursor === undefined ? [] : [sql`l.entry < ${Number(cursor)}`]),
    ...(firstEntry === undefined ? [] : [sql`l.entry >= ${firstEntry}`]),
    ...(lastEntry === undefined ? [] : [sql`l.entry <= ${lastEntry}`]),
    ...(since ? [sql`l.entry >= first_entry_since(${accountId}, ${since})`] : []),
    ...(before ? [sql`l.entry < first_entry_since(${accountId}, ${before})`] : []),
  ];
  const { rows } = await sql<EntryRow>`
    select l.entry, l.kind, l.amount_cents as "amountCents", l.balance_after_cents as "balanceAfterCents", l.note,
           l.shipment_id as "shipmentId", coalesce(s.reference_number, z.reference_number) as "referenceNumber", s.order_id as "orderId",
           l.created_at as "createdAt"
    from ledger_entries l left join shipments s on (s.account_id, s.id) = (l.account_id, l.shipment_id)
    left join archived_shipments z on (z.account_id, z.id) = (l.account_id, l.shipment_id)
    where ${sql.join(bounds, sql` and `)}
    order by l.entry desc limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  return { entries: page.map(present), nextCursor: rows.length > limit ? String(page.at(-1)?.entry) : null };
}

function present(row: EntryRow): LedgerEntry {
  const { shipmentId: id, referenceNumber, orderId } = row;
  return {
    entry: row.entry,
    kind: row.kind,
    amount: toEuros(row.amountCents),
    balanceAfter: toEuros(row.balanceAfterCents),
    note: row.note,
    shipment: id === null ? null : { id, referenceNumber: referenceNumber ?? '', orderId },
    createdAt: row.createdAt.toISOString(),
  };
}

/** Charge and refund of one shipment, found by the unique index that allows one of each. */
export async function listShipmentEntries(db: Database, accountId: string, shipmentId: string) {
  return db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_cents as amountCents', 'created_at as at'])
    .where('account_id', '=', accountId)
    .where('shipment_id', '=', shipmentId)
    .where('kind', 'in', [sql.lit('charge'), sql.lit('refund')])
    .execute();
}
