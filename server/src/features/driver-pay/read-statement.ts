import type { EarningKind } from '@navette/contract';
import { sql } from 'kysely';
import { localDay, monthAfter, startOfMonth } from '../../calendar/local-calendar.ts';
import type { Database } from '../../database/database.ts';

export interface StatementEntry {
  entry: number;
  at: Date;
  kind: EarningKind;
  amountCents: number;
  balanceAfterCents: number;
  referenceNumber: string | null;
  reason: string | null;
}

/** One month of a driver's ledger. The balance before it is the balance after the month before. */
export interface Statement {
  month: string;
  openingCents: number;
  totalCents: number;
  closingCents: number;
  entries: StatementEntry[];
}

export const monthOf = (now: Date, timeZone: string): string => localDay(now, timeZone).slice(0, 7);

const COLUMNS = sql`entry, at, kind, amount_cents as "amountCents", balance_after_cents as "balanceAfterCents",
  reference_number as "referenceNumber", reason`;

/** Entries are in the order of their times, so a month is a range of them. */
export async function readStatement(
  db: Database,
  driverId: string,
  month: string,
  timeZone: string,
): Promise<Statement> {
  const [from, to] = [startOfMonth(month, timeZone), startOfMonth(monthAfter(month), timeZone)];
  const { rows: entries } = await sql<StatementEntry>`
    select ${COLUMNS} from driver_ledger_entries
    where driver_id = ${driverId} and at >= ${from} and at < ${to} order by entry`.execute(db);
  const openingCents = entries[0]
    ? entries[0].balanceAfterCents - entries[0].amountCents
    : await balanceBefore(db, driverId, from);
  const totalCents = entries.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { month, openingCents, totalCents, closingCents: openingCents + totalCents, entries };
}

/** Read only for a month without entries, so no entry can be written between the two queries and be left out. */
async function balanceBefore(db: Database, driverId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select balance_after_cents as balance from driver_ledger_entries
    where driver_id = ${driverId} and at < ${at} order by at desc, entry desc limit 1`.execute(db);
  return rows[0]?.balance ?? 0;
}

const MAX_LISTED = 1_000;

/** For the operator: the latest entries of a driver, newest first. */
export async function listDriverEntries(db: Database, driverId: string): Promise<StatementEntry[]> {
  const { rows } = await sql<StatementEntry>`
    select ${COLUMNS} from driver_ledger_entries where driver_id = ${driverId}
    order by entry desc limit ${MAX_LISTED}`.execute(db);
  return rows;
}

/** For the operator: the pay of a shipment's driver, of which there is at most one entry. */
export async function listShipmentPay(db: Database, accountId: string, shipmentId: string) {
  const { rows } = await sql<{ amountCents: number; at: Date; id: string; name: string }>`
    select e.amount_cents as "amountCents", e.at, d.id, d.first_name || ' ' || d.last_name as name
    from driver_ledger_entries e join drivers d on d.id = e.driver_id
    where e.account_id = ${accountId} and e.shipment_id = ${shipmentId}`.execute(db);
  return rows.map(({ amountCents, at, id, name }) => ({ amountCents, at, driver: { id, name } }));
}
